import ArgumentParser
import Foundation
import PaymentCrypto

/// `keys csr`: a certificate request for a merchant's key.
struct KeysRequest: KeysReplying {
    static let configuration = CommandConfiguration(
        commandName: "csr", abstract: "Make a certificate request (PKCS#10) for a merchant's key.")

    enum Kind: String, ExpressibleByArgument, CaseIterable { case processing, identity }

    @Option(help: "The merchant identifier, such as merchant.example.shop.") var merchant: String
    @Option(help: "The private key in PEM.") var key: String
    @Option(help: "processing: EC, or RSA for China mainland. identity: RSA.") var kind: Kind = .processing
    @Option(help: "The organisation's name, if it should stand in the subject.") var organization: String?
    @Option(help: "The file to write; standard output without it.") var out: String?
    @OptionGroup var options: KeysOptions

    func validate() throws {
        guard merchant.hasPrefix("merchant."), merchant.utf8.count > 9, merchant.utf8.count <= 255,
            merchant.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw ValidationError("A merchant identifier begins with \"merchant.\" and has no spaces.") }
    }

    func reply(now: Date) throws -> KeysReply {
        let key = try PrivateKey(pem: CommandFile.text(key))
        switch (kind, key.publicKey.kind) {
        case (.processing, .p256), (.processing, .rsa(bits: 2048)), (.identity, .rsa(bits: 2048)): break
        case (.processing, _):
            throw CommandFailure(.refused, code: "key-kind", reason: "a processing certificate needs a P-256 or an RSA key of 2048 bits")
        case (.identity, _):
            throw CommandFailure(.refused, code: "key-kind", reason: "an identity certificate needs an RSA key of 2048 bits")
        }
        let subject = CertificateRequest.merchantSubject(identifier: merchant, organization: organization)
        let request = try CertificateRequest(subject: subject, signer: key.signer)
        let hash = StrictBase64.encode(key.publicKey.sha256)
        var object: [String: KeysValue] = [
            "kind": .text(kind.rawValue), "subject": .text(subject.description), "publicKeyHash": .text(hash),
        ]
        guard let out else {
            object["request"] = .text(request.pem)
            return KeysReply(text: String(request.pem.dropLast()), object: object)
        }
        try CommandFile.writePrivate(out, request.pem)
        object["file"] = .text(out)
        return KeysReply(text: "\(out): a request for \(subject); publicKeyHash \(hash)", object: object)
    }
}
