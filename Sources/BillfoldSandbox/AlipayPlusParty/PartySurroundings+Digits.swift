extension PartySurroundings {
    /// So many random digits.
    func digits(_ count: Int) -> String {
        var generator = InjectedGenerator(draw: random)
        return String((0..<count).map { _ in Character(String(Int.random(in: 0...9, using: &generator))) })
    }
}
