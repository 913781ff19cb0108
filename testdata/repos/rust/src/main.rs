use rmcp::{transport::stdio, ServerHandler, ServiceExt};

#[derive(Clone)]
struct Robin;

impl ServerHandler for Robin {}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    Robin.serve(stdio()).await?.waiting().await?;
    Ok(())
}
