import ApplePay
import ArgumentParser
import BillfoldJSON
import PaymentCrypto

/// `provisioning make-activation-data`: the network's inner layer, made with the issuer's key.
struct ProvisioningMakeActivationData: ProvisioningReplying {
    static let configuration = CommandConfiguration(
        commandName: "make-activation-data", abstract: "Make Visa's or Mastercard's activation data.",
        discussion: """
            The input says {"network":"visa","keySet","nonce"} and may name authenticationCode; with primaryAccountNumber and expiration \
            it gives the account data too. Or {"network":"mastercard","primaryAccountNumber","expiration"} and may name version (2, 3, 4), \
            validUntil, includedFieldsInOrder, keyAlias and tokenUniqueReference. A drawn code is shown with --reveal.
            """)

    @Option(help: "What the data is to say: a JSON file.") var input: String
    @Option(help: "For Visa a file with 32 hexadecimal digits; for Mastercard an RSA private key in PEM.") var key: String
    @Option(help: "The instant it is made at (ISO 8601); default: now.") var at: String?
    @Flag(help: "Show the authentication code.") var reveal = false
    @OptionGroup var format: AlwaysJSON

    func reply() async throws -> CommandReply {
        let instant = try CommandInput.instant(at)
        switch try ActivationRequest(input, at: instant) {
        case .visa(let visa):
            var generator = SystemRandomNumberGenerator()
            let key = try ProvisioningInput.tripleDESKey(key)
            let code = visa.authenticationCode ?? AuthenticationCode(using: &generator)
            let text = try await VisaActivationBlock(nonce: visa.nonce, authenticationCode: code)
                .sealed(keySet: visa.keySet, key: key, using: &generator).description
            var members: [JSONObject.Member] = [
                .init("activationData", .string(StrictBase64.encode(Array(text.utf8)))), .init("text", .string(text)),
                .init("authenticationCode", .string(reveal ? String(decoding: code.text.reveal(), as: UTF8.self) : "••••••")),
            ]
            if let (number, expiration) = visa.account {
                let account = try await VisaAccountBlock(primaryAccountNumber: number, expiration: expiration, instant: instant)
                    .sealed(keySet: visa.keySet, key: key, using: &generator).description
                members.append(.init("encryptedPrimaryAccountNumber", .string(StrictBase64.encode(Array(account.utf8)))))
                members.append(.init("primaryAccountNumberPrefix", .string(number.prefix())))
            }
            return CommandReply(members)
        case .mastercard(let form, let card):
            let value = try await TokenizationAuthenticationValue(
                form, for: card, at: instant, signer: ProvisioningInput.key(key, as: "RSA private key", by: RSAPrivateKey.init(pem:)))
            let bytes = value.json()
            return CommandReply([
                .init("activationData", .string(StrictBase64.encode(bytes))),
                .init("text", .string(String(decoding: bytes, as: UTF8.self))),
            ])
        }
    }
}
