package example.demo;

public class Application {}
