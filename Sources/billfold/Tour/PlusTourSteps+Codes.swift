/// What a guest of the payment sheet shows at a till.
extension PlusTourSteps {
    /// A code that pays, fresh from the guest's wallet.
    func shownCode(of guest: Guest) async throws -> String {
        let (wallet, _) = try await logIn(guest)
        let shown = try await wallet.post("/wallets/\(guest.slug)/code")
        guard let code = shown.attribute("data-code") else {
            throw CommandFailure(.refused, code: "page-differs", reason: "the wallet shows no code: \(shown.heading)")
        }
        return code
    }
}
