plugins {
    application
    kotlin("jvm") version "2.1.0"
}

version = "1.0.0"

dependencies {
    implementation("io.modelcontextprotocol.sdk:mcp:0.10.0")
}
