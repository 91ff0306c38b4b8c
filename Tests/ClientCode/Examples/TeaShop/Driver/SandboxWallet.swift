import Foundation
import PassKitSimulator

/// The wallet of a phone: its tokens are made by the program `billfold`, under the authority that the sandbox's merchant trusts.
struct SandboxWallet: PaymentTokenSource {
    struct NoToken: Error {}

    var program: String
    /// The folder of the sandbox's wallet.
    var authority: String
    /// The merchant's processing certificate, a file.
    var certificate: String
    var folder: URL

    func token(for payment: AuthorizedPayment) async throws -> IssuedToken {
        let file = folder.appendingPathComponent("token-\(UUID().uuidString)")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "apple-pay", "make-token", "--authority", authority, "--certificate", certificate, "--amount", "\(payment.amount)",
            "--currency", payment.currencyCode, "--application-data-base64", payment.applicationData?.base64EncodedString() ?? "",
            "--native", "--output", file.path, "--json",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        struct Made: Decodable { var transactionIdentifier: String }
        guard process.terminationStatus == 0, let made = try? JSONDecoder().decode(Made.self, from: said) else { throw NoToken() }
        return IssuedToken(paymentData: try Data(contentsOf: file), transactionIdentifier: made.transactionIdentifier)
    }
}
