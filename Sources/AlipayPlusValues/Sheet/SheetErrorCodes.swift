extension AlipayPlusError.Code {
    /// Payment data that is none: not JSON, a missing member, an address that is none.
    public static let paymentDataMalformed = Self("payment-data-malformed")
    /// Payment data inside one more string or percent encoding: some party escaped it twice.
    public static let paymentDataEscapedTwice = Self("payment-data-escaped-twice")
    /// Payment data of a version that is not read here.
    public static let paymentDataVersion = Self("payment-data-version")
    /// What a payment sheet told its host is of no known form.
    public static let sheetMessageMalformed = Self("sheet-message-malformed")
}
