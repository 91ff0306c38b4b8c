public import AlipayPlusValues

extension AlipayPlusError.Code {
    /// A wallet catalogue that cannot be read; the reason names the wallet.
    public static let catalogueMalformed = Self("catalogue-malformed")
}
