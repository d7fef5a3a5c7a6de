@main struct Confab { static func main() {} }
