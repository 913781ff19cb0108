use rmcp::{transport::stdio, ServerHandler, ServiceExt};

#[derive(Clone)]
struct Wren;

impl ServerHandler for Wren {}

fn main() {
    Wren.serve(stdio());
}
