pub fn eggs() -> u8 {
    3
}
