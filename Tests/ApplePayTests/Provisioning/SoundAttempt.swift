import ApplePayForging
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoIssuing
import PaymentCryptoOpenSSL

@testable import ApplePay
@testable import ApplePayDiagnosis

/// An attempt without a fault, whatever a team may do in its own way: every draw is another sound case.
struct SoundAttempt {
    /// Cards and their payloads. Those of the lower half have forms that nobody published.
    enum Card: CaseIterable {
        case visaSealed, visaInClear, mastercardInClear, visaAndMada, visaAndUnionPay, mastercardAndGirocard, maestro
        case mastercardSealed, unionPay, amex, visaNewerName, ownForm
    }

    var item: ProvisioningDoctorCase
    let card: Card
    /// What was drawn, for a failure's message.
    var draws: [String] = []

    init(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed, label: "sound attempt")
        card = Card.allCases[Int(seed % UInt64(Card.allCases.count))]
        let network: ProvisioningDoctorCase.Network =
            switch card {
            case .visaSealed, .visaNewerName: .visa
            case .visaInClear, .visaAndMada, .visaAndUnionPay: .visaInClear
            case .mastercardInClear, .mastercardAndGirocard, .maestro, .mastercardSealed, .unionPay, .amex, .ownForm: .mastercard
            }
        item = try await ProvisioningDoctorCase(seed: seed, network: network)
        draws.append("\(card)")
        try await shapeCard(&generator)
        try shapeActivation(&generator)
        shapeScheme(&generator)
        shapeSurroundings(&generator)
        try shapeTexts(&generator)
    }

    private mutating func draw<Value>(_ name: String, _ values: [Value], _ generator: inout SeededGenerator) -> Value {
        let index = Int.random(in: 0..<values.count, using: &generator)
        draws.append("\(name) \(index)")
        return values[index]
    }

    private mutating func shapeCard(_ generator: inout SeededGenerator) async throws {
        switch card {
        case .visaSealed:
            item.payload["primaryAccountNumberPrefix"] = .string(String(item.number.prefix(draw("prefix", [6, 8], &generator))))
            item.payload["networkName"] = draw("networkName", ["Visa", "VISA", "visa"], &generator)
            // Issuers choose their codes as they like.
            if draw("code", [true, false], &generator) {
                let code = draw("letters", ["ab12cd", "k", "Aa-._~9"], &generator)
                try sealActivation("nonce=\(item.challenge.nonceText);authcode=\(code)")
            }
        case .visaInClear, .mastercardInClear, .maestro: break
        case .visaAndMada: item.configuration["paymentNetwork"] = draw("network", ["Mada", "CartesBancaires", "Eftpos", "Elo"], &generator)
        case .visaAndUnionPay: item.configuration["paymentNetwork"] = draw("network", ["ChinaUnionPay", "JCB"], &generator)
        case .mastercardAndGirocard:
            item.configuration["paymentNetwork"] = draw("network", ["Girocard", "Bancontact", "Dankort"], &generator)
        case .mastercardSealed:
            item.payload["primaryAccountNumber"] = .string(Hexadecimal.encode(generator.bytes(draw("blocks", [16, 24, 256], &generator))))
            item.payload["productType"] = "DEFAULT_MASTERCARD"
            if draw("version", [true, false], &generator) { item.payload["version"] = "1" }
            if draw("expiration", [true, false], &generator) { item.payload["expiration"] = "1230" }
        case .unionPay:
            item.number = ProvisioningDoctorCase.number("621400", &generator)
            item.payload["primaryAccountNumber"] = .string(item.number)
            item.configuration["paymentNetwork"] = "ChinaUnionPay"
        case .amex:
            item.number = ProvisioningDoctorCase.number("371400", &generator)
            item.payload["primaryAccountNumber"] = .string(item.number)
            item.configuration["paymentNetwork"] = "AmEx"
        case .visaNewerName:
            if draw("newer", [true, false], &generator) {
                item.payload["encryptedPrimaryAccountNumber"] = ProvisioningDoctorCase.encode(
                    Array("MPAD-2-FK-405551.1--AES-\(Hexadecimal.encode(generator.bytes(32)))".utf8))
            }
        case .ownForm:
            item.configuration["paymentNetwork"] = draw("network", ["Interac", "Discover", "JCB", "Mir"], &generator)
            item.payload = JSONObject([
                .init("encryptedCard", ProvisioningDoctorCase.encode(generator.bytes(96))), .init("keyId", "k-1"),
                .init("name", "JANE SPECIMEN"), .init("nonce", .string(item.challenge.nonceText)),
                .init("nonceSignature", .string(item.challenge.nonceSignatureText)),
            ])
        }
        item.configuration["primaryAccountSuffix"] = .string(String(item.number.suffix(draw("suffix", [4, 4, 5], &generator))))
        item.environment["suffix"] = .string(String(item.number.suffix(4)))
        item.environment["allowList"] = [
            .object(JSONObject([.init("suffix", .string(String(item.number.suffix(4)))), .init("secureElement", "04 AA")]))
        ]
        item.environment["bins"] = draw(
            "bins",
            [.array([.string(String(item.number.prefix(6)))]), .array([.string(String(item.number.prefix(8)))]), ["400000-499999"]],
            &generator)
        let pass = JSONValue.object(
            JSONObject([
                .init("primaryAccountIdentifier", "V-9901"), .init("primaryAccountNumberSuffix", .string(String(item.number.suffix(4)))),
                .init("activationState", 0), .init("deviceAccountIdentifier", .string(Self.reference)),
            ]))
        item.library["passes"] = [pass]
        item.library["addedPass"] = pass
        try await signMastercard(&generator)
    }

    private static let reference = "DAPLMC" + String(repeating: "0", count: 42)

    private mutating func sealActivation(_ clear: String) throws {
        let block = VisaBlock.make(SecretBytes(utf8: clear), filler: Array("a~!z".utf8)).reveal()
        let data = try OpenSSLTripleDESKey(item.zoneKey).encrypt(block)
        item.activation = Array(VisaWireText(kind: .activation, keySet: item.keySet, data: data).description.utf8)
    }

    /// Every version of Mastercard's value, the token reference known to the doctor or not.
    private mutating func signMastercard(_ generator: inout SeededGenerator) async throws {
        guard [.mastercardInClear, .mastercardAndGirocard, .maestro, .mastercardSealed].contains(card) else { return }
        let until = AuthenticationValueTimestamp(ProvisioningDoctorCase.now + 1_700)
        let fields = draw(
            "fields",
            [
                [TokenizationAuthenticationValue.Field.accountNumber, .accountExpiry, .dataValidUntilTimestamp],
                [.accountNumber, .dataValidUntilTimestamp], [.dataValidUntilTimestamp, .accountExpiry, .accountNumber],
            ], &generator)
        let form = draw(
            "form",
            [
                TokenizationAuthenticationValue.Form.version2(includesExpiration: true, includesTokenUniqueReference: true),
                .version2(includesExpiration: false, includesTokenUniqueReference: false),
                .version2(includesExpiration: true, includesTokenUniqueReference: false), .version3(fields: fields, validUntil: until),
                .version4(keyAlias: "key-1", fields: fields, validUntil: until),
            ], &generator)
        let reference = draw("reference", [Self.reference, "DAPLMC" + String(repeating: "9", count: 42)], &generator)
        let signed = TokenizationAuthenticationValue.Card(
            accountNumber: try CardNumber(item.number), expiration: try CardExpiration(slashed: "12/30"), tokenUniqueReference: reference)
        item.activation = try await TokenizationAuthenticationValue(
            form, for: signed, at: ProvisioningDoctorCase.now, signer: ProvisioningDoctorCase.rsa[0]
        ).json()
        if draw("booleans", [true, false], &generator) {
            item.activation = Array(
                String(decoding: item.activation, as: UTF8.self).replacing(":true", with: #":"true""#).replacing(
                    ":false", with: #":"false""#
                ).utf8)
        }
    }

    private mutating func shapeActivation(_ generator: inout SeededGenerator) throws {
        switch card {
        case .unionPay, .amex, .ownForm, .visaAndUnionPay:
            item.activation = draw("own", [Array("UPAC-7".utf8), generator.bytes(48), Array("a token of letters".utf8)], &generator)
        case .visaNewerName: item.activation = Array("MPAC-2-FK-405551.1--AES-\(Hexadecimal.encode(generator.bytes(32)))".utf8)
        default: break
        }
    }

    private mutating func shapeScheme(_ generator: inout SeededGenerator) {
        guard draw("scheme", [true, false], &generator) else {
            item.configuration["encryptionScheme"] = draw("name", ["EV_ECC_v2", "ECC_V2"], &generator)
            return
        }
        ProvisioningDoctorFault.useRSA(
            &item, draw("parameters", RSAPassDataParameters.inferred, &generator))
        item.configuration["encryptionScheme"] = draw("name", ["EV_RSA_v2", "RSA_V2"], &generator)
    }

    private mutating func shapeSurroundings(_ generator: inout SeededGenerator) {
        item.app["distribution"] = draw("distribution", ["testflight", "TestFlight", "App Store", "app-store", "unlisted"], &generator)
        item.app["minimumOSVersion"] = draw("minimum", ["10.3", "13.4", "17", "iOS 15"], &generator)
        item.app["adamID"] = 1_234_567
        item.metadata["associatedStoreIdentifiers"] = draw("stores", [[1_234_567], ["1234567", 7]], &generator)
        item.environment["network"] = "Visa"
        // Another card of the wallet ends in the same digits.
        if draw("twin", [true, false], &generator), let pass = item.library["addedPass"], var twin = pass.object {
            twin["primaryAccountIdentifier"] = "M-1"
            item.library["passes"] = [pass, .object(twin)]
            item.configuration["primaryAccountIdentifier"] = ""
        }
        let certificates = item.configuration["encryptionScheme"]?.string?.contains("RSA") == true
        draws.append("rsa \(certificates)")
        // The authority above the issuer's signing key, and an RSA key that has nothing to do with it, sign no value.
        if draw("authority", [true, false], &generator) {
            item.others.append(Artifact(name: "rsa-authority.pem", bytes: Array(Self.authority.utf8)))
        }
        item.log += draw(
            "log",
            [
                "passd[91]: POST https://smp.apple.com/broker/v4/devices/04AA/cards 200 in 500 ms, body text/html 0 bytes\n",
                "passd[91]: proxy settings: HTTPSProxy = (null); HTTPSPort = 0; build 1\n",
                "PassKit[7]: certificate chain ok, no proxy\npassd: GET /broker/v4/devices/04AA/issuerProvisioningCertificates 200 proxy: none\n",
                "passd: POST /broker/v4/devices/04AA/cards 201\n  Content-Type: application/json\n  Content-Length: 500\n  {\"help\":\"x.html\"}\n",
                "passd: /broker/v4/devices/04AA/cards 200 request 1400012 took 40456 us\npassd: activationData missing: no\n",
                "passd: /broker/v4/devices/04AA/cards/40001/enable 200\npassd: tls certificate evaluated for proxy.example\n",
                "passd: /broker/v4/devices/500/passes 200 text/html\npassd: 500 entries of /cards.html\n",
            ], &generator)
    }

    private static let authority: String = {
        var generator = SeededGenerator(seed: 7, label: "authority")
        let name = CertificateName([.init(type: .commonName, value: "Issuer RSA CA")])
        let template = CertificateTemplate(
            serialNumber: SerialNumber(magnitude: [1, 1]), subject: name, notBefore: ProvisioningDoctorCase.now - 1_000,
            notAfter: ProvisioningDoctorCase.now + 86_400 * 900, publicKey: ProvisioningDoctorCase.rsa[1].publicKey,
            isCertificateAuthority: true, keyUsage: [.certificateSigning])
        let issuer = CertificateIssuer(
            name: CertificateName([.init(type: .commonName, value: "Issuer Root")]), signer: ProvisioningDoctorCase.rsa[0],
            algorithm: .rsaPKCS1SHA256)
        return (try? issuer.issue(template).pem) ?? ""
    }()

    /// How hosts and tools write bytes, JSON and PEM.
    private mutating func shapeTexts(_ generator: inout SeededGenerator) throws {
        let nonce = item.challenge.nonce
        let signature = item.challenge.nonceSignature
        let isHex = draw("callback", [true, false], &generator)
        let isUpper = draw("case", [true, false], &generator)
        func hex(_ bytes: [UInt8]) -> JSONValue { .string(Hexadecimal.encode(bytes, uppercase: isUpper)) }
        item.callback["nonce"] = isHex ? hex(nonce) : ProvisioningDoctorCase.encode(nonce)
        item.callback["nonceSignature"] = isHex ? hex(signature) : ProvisioningDoctorCase.encode(signature)
        item.callback["encoding"] = draw("encoding", [isHex ? "hex" : "base64", isHex ? "HEX" : "Base64", nil], &generator)
        item.payload["nonce"] = hex(nonce)
        item.payload["nonceSignature"] = hex(signature)

        var certificates = (item.callback["certificates"]?.array ?? []).compactMap { $0.string }.compactMap { try? StrictBase64.decode($0) }
        if draw("root", [true, false], &generator) { certificates.append(item.authority.root.der) }
        func pem(_ der: [UInt8]) -> String { PEMText.Block(label: "CERTIFICATE", bytes: der).text }
        switch draw("certificates", [0, 1, 2, 3, 4], &generator) {
        case 0: item.callback["certificates"] = .array(certificates.map { hex($0) })
        case 1: item.callback["certificates"] = .array(certificates.map { .string(pem($0)) })
        case 2: item.callback["certificates"] = .array(certificates.map { .string(pem($0).replacing("\n", with: "\r\n")) })
        case 3: item.callback["certificates"] = [.string(certificates.map(pem).joined())]
        default: item.callback["certificates"] = .array(certificates.map { ProvisioningDoctorCase.encode($0) })
        }
        let isRequestHex = draw("request", [true, false], &generator)
        let hash = draw("hash", [0, 1, 2], &generator)
        let isApart = draw("apart", [true, false], &generator)
        let activation = ProvisioningDoctorCase.encode(item.activation)
        item.request = { request in
            if hash == 0 { request["publicKeyHash"] = nil }
            if hash == 1 { request["publicKeyHash"] = .string(request["publicKeyHash"]?.string?.uppercased() ?? "") }
            if isApart { request["activationData"] = nil }
            guard isRequestHex else { return }
            for key in ["encryptedPassData", "activationData", "ephemeralPublicKey", "wrappedKey"] {
                guard let bytes = request[key]?.string.flatMap({ try? StrictBase64.decode($0) }) else { continue }
                request[key] = .string(Hexadecimal.encode(bytes))
            }
        }
        if isApart {
            item.others.append(
                Artifact(
                    name: "activation.json",
                    bytes: JSONWriter.write(JSONObject([.init("activationData", activation), .init("authenticationCode", "••••••")]))))
        }
        item.showsPayload = draw("payload", [true, false], &generator)
        item.handsOverKey = draw("key", [true, true, false], &generator)
    }

    /// Line ends and spaces as other systems have them.
    mutating func artifacts() throws -> [Artifact] {
        var generator = item.generator
        return try item.artifacts().map { artifact in
            var artifact = artifact
            var text = String(decoding: artifact.bytes, as: UTF8.self)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0 where artifact.name.hasSuffix(".json"):
                text = text.replacing(#"","#, with: "\",\r\n  ").replacing("{", with: "{\r\n ") + "\r\n"
            case 1 where artifact.name.hasSuffix(".pem"):
                text = "Bag Attributes\r\n  friendlyName: x\r\n" + text.replacing("\n", with: "\r\n")
            case 2 where artifact.name.hasSuffix(".log"): text = text.replacing("\n", with: "\r\n")
            default: return artifact
            }
            artifact.bytes = Array(text.utf8)
            return artifact
        }
    }
}
