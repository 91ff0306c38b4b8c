/// A request whose key is forgotten, and whose payment or refund is known by its request id, which stays for ever.
///
/// Thrown out of a write that tried to make it anew, so that nothing of that stays, its key neither. What the row holds of the first request
/// is compared: of a payment the amounts and the method, of a refund the payment and the amount.
struct ForgottenKey: Error {
    /// Whether the request says the same as the first time.
    var isSame: Bool
}
