import ApplePay
import ArgumentParser
import BillfoldJSON
import PaymentCrypto

/// `provisioning verify-activation-data`: what the network checks.
struct ProvisioningVerifyActivationData: ProvisioningReplying {
    static let configuration = CommandConfiguration(
        commandName: "verify-activation-data", abstract: "Check activation data as the network does.",
        discussion: """
            The input is the one of make-activation-data and says what must hold: Visa's nonce and, if named, its code; Mastercard's card. \
            Exits with 1 when the data does not hold.
            """)

    @Option(help: "The activation data: raw bytes, base64 text, or the answer of make-activation-data.") var activationData: String
    @Option(help: "What the data must say: a JSON file.") var input: String
    @Option(help: "For Visa a file with 32 hexadecimal digits; for Mastercard the RSA public key, or its certificate, in PEM.")
    var key: String
    @Option(help: "The instant to judge dates at (ISO 8601); default: now.") var at: String?
    @Flag(help: "Show the authentication code.") var reveal = false
    @OptionGroup var format: AlwaysJSON

    func reply() async throws -> CommandReply {
        let instant = try CommandInput.instant(at)
        let data = try ProvisioningInput.bytes(activationData, member: "activationData")
        let request = try ActivationRequest(input, at: instant)
        do {
            switch request {
            case .visa(let visa): return try await verify(data, visa)
            case .mastercard(_, let card):
                let key = try publicKey()
                guard data.first == UInt8(ascii: "{") else {
                    throw ApplePayError(code: .authenticationValueForm, reason: "Mastercard's activation data is a JSON object")
                }
                let value = try TokenizationAuthenticationValue(json: data)
                try value.verify(for: card, publicKey: key, at: instant)
                return CommandReply([.init("valid", true), .init("version", .string(value.form.version))])
            }
        } catch let error as ApplePayError {
            let failure = JSONObject([.init("code", .string(error.code.description)), .init("reason", .string(error.reason))])
            return CommandReply([.init("valid", false), .init("error", .object(failure))], exitCode: 1)
        }
    }

    private func verify(_ data: [UInt8], _ visa: ActivationRequest.Visa) async throws -> CommandReply {
        let text = try VisaWireText(String(decoding: data, as: UTF8.self), due: .activation)
        guard text.keySet == visa.keySet else {
            throw ApplePayError(code: .visaKeySetForm, reason: "the data names key set \(text.keySet), not \(visa.keySet)")
        }
        let block = try await VisaActivationBlock(opening: text, key: ProvisioningInput.tripleDESKey(key))
        guard block.names(visa.nonce) else {
            throw ApplePayError(code: .activationNonceMismatch, reason: "the data is for another nonce")
        }
        guard visa.authenticationCode == nil || visa.authenticationCode == block.authenticationCode else {
            throw ApplePayError(code: .authenticationCodeMismatch, reason: "the data carries another code")
        }
        let code = reveal ? String(decoding: block.authenticationCode.text.reveal(), as: UTF8.self) : "••••••"
        return CommandReply([
            .init("valid", true), .init("keySet", .string(text.keySet.id)), .init("authenticationCode", .string(code)),
        ])
    }

    private func publicKey() throws -> PublicKey {
        let key = try ProvisioningInput.key(key, as: "RSA public key or certificate") { text throws(PaymentCryptoError) in
            try text.contains("BEGIN CERTIFICATE") ? ParsedCertificate(pem: text).publicKey : PublicKey(pem: text)
        }
        guard case .rsa = key.kind else {
            throw CommandFailure(
                .refused, code: "key-kind", reason: "\(self.key) is no RSA public key or certificate: its key is of another kind")
        }
        return key
    }
}
