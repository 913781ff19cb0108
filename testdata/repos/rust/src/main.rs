use rmcp::{transport::stdio, ServerHandler, ServiceExt};

#[derive(Clone)]
struct Robin;

impl ServerHandler for Robin {}

fn main() {
    Robin.serve(stdio());
}
