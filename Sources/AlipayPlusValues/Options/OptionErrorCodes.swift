extension AlipayPlusError.Code {
    /// A logo pattern that is not layout, terminal and custom part.
    public static let logoPatternMalformed = Self("logo-pattern-malformed")
    /// Published option data that cannot be read, or the path of none.
    public static let optionMalformed = Self("option-malformed")
}
