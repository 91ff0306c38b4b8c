extension PKPaymentMethod {
    /// The pass of the card, for the app of its issuer alone. Always nil here: the sheet's cards are no passes of the library.
    public var secureElementPass: PKSecureElementPass? { nil }

    /// ``secureElementPass`` under the name of systems before iOS 13.4.
    public var paymentPass: PKPaymentPass? { nil }
}
