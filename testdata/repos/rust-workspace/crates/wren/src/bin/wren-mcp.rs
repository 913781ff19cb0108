use rmcp::{transport::stdio, ServerHandler, ServiceExt};

#[derive(Clone)]
struct Wren;

impl ServerHandler for Wren {}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    Wren.serve(stdio()).await?.waiting().await?;
    Ok(())
}
