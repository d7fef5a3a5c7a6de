@main struct FirstVisit { static func main() {} }
