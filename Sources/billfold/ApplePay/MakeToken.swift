import ApplePay
import ApplePayForging
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldSandbox
import Foundation
import PaymentCrypto

/// `apple-pay make-token`: a token as the wallet would make it, or wrong in one of the known ways.
struct MakeToken: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "make-token", abstract: "Make a simulated payment token, good or wrong on purpose.",
        discussion: """
            The wallet's certificate authority is kept in --authority and made there when the folder is empty; trust its root.pem. \
            Without --certificate a merchant key and certificate are made into the same folder.

            Flaws: \(TokenFlaw.allCases.map(\.rawValue).joined(separator: ", ")).
            Chain flaws (a throw-away authority, written to --authority): \(ChainFlaw.allCases.map(\.rawValue).joined(separator: ", ")).
            """)

    @Option(help: "The folder of the wallet's authority.") var authority: String
    @Option(help: "The merchant's processing certificate in PEM.") var certificate: String?
    @Option(help: "The merchant identifier of a new certificate; default: merchant.example.shop.") var merchant: String?
    @Option(help: "EC_v1 or RSA_v1; default: what the certificate's key asks for, EC_v1 for a new one.") var version: String?
    @Option(help: "What the sheet showed, in major units.") var amount = "33.00"
    @Option(help: "ISO 4217 alphabetic code.") var currency = "CNY"
    @Option(help: "A wallet network name; chinaUnionPay gives EMV data.") var network = "chinaUnionPay"
    @Option(help: "Card number substitute, 12 to 19 digits; default: an invented one.") var accountNumber: String?
    @Option(help: "The text that the merchant put in the request's applicationData.") var applicationData: String?
    @Option(help: "The same as bytes in base64, as an order of the card-payments API has it.") var applicationDataBase64: String?
    @Option(help: "Hex of a PIN block; EMV only.") var encryptedPIN: String?
    @Option(help: "A merchant token identifier (MPAN).") var merchantToken: String?
    @Option(help: "When the wallet signs (ISO 8601); shift it for stale and future tokens. Default: now.") var signedAt: String?
    @Option(help: "Derive the key for another merchant identifier.") var derivedFor: String?
    @Option(name: .customLong("flaw"), help: "A flaw; may be repeated.") var flaws: [String] = []
    @Option(name: .customLong("chain-flaw"), help: "A flaw of the certificates; may be repeated.") var chainFlaws: [String] = []
    @Flag(help: "Write native paymentData instead of the outer object.") var native = false
    @Option(help: "Write the token to this file instead of standard output.") var output: String?
    @Flag(help: "Write one JSON object that names the files.") var json = false

    func validate() throws {
        guard PaymentNetwork(rawValue: network).isKnown else {
            throw ValidationError("--network \(network) is none of \(PaymentNetwork.known.map(\.rawValue).joined(separator: ", "))")
        }
        if let accountNumber {
            guard (12...19).contains(accountNumber.utf8.count), accountNumber.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw ValidationError("--account-number has 12 to 19 digits")
            }
        }
        if let encryptedPIN {
            guard network == PaymentNetwork.chinaUnionPay.rawValue else { throw ValidationError("--encrypted-pin goes with EMV data only") }
            guard !encryptedPIN.isEmpty, (try? Hexadecimal.decode(encryptedPIN)) != nil else {
                throw ValidationError("--encrypted-pin is hexadecimal")
            }
        }
    }

    func reply() async throws -> CommandReply {
        var generator = SystemRandomNumberGenerator()
        let instant = try CommandInput.instant(signedAt)
        let folder = WalletFolder(URL(fileURLWithPath: authority, isDirectory: true))
        let authority = try authority(in: folder, at: instant, using: &generator)
        let (merchant, certificatePath) = try merchantCertificate(from: authority, in: folder, at: instant, using: &generator)
        var plan = TokenPlan(
            version: try version(merchant), payload: try payload(&generator), merchant: merchant,
            applicationData: try applicationDataBytes(), signingTime: instant,
            paymentMethod: PaymentMethod(displayName: "\(network) simulated", network: network, type: "debit"))
        plan.flaws = Set(try flaws.map { try Self.flaw($0, "flaw") })
        plan.derivedForMerchantIdentifier = derivedFor
        let token = try TokenComposer(authority: authority, hashPairs: OpenSSLHashPairs()).compose(plan, using: &generator)
        let bytes = native ? token.paymentData : token.outer
        if let output { try write(bytes, URL(fileURLWithPath: output)) }
        var object = JSONObject([
            .init("transactionIdentifier", .string(token.transactionIdentifier)), .init("certificate", .string(certificatePath)),
            .init("root", .string(folder.url.appendingPathComponent("root.pem").path)),
        ])
        if let output {
            object["token"] = .string(output)
        } else if !bytes.isEmpty {
            object["token"] = try JSONReader.read(bytes)
        }
        return CommandReply(text: output ?? String(decoding: bytes, as: UTF8.self), object: object)
    }

    private func applicationDataBytes() throws -> [UInt8]? {
        guard let applicationDataBase64 else { return applicationData.map { Array($0.utf8) } }
        guard applicationData == nil, let bytes = try? StrictBase64.decode(applicationDataBase64) else {
            throw CommandFailure(
                .usage, code: "malformed-base64", reason: "--application-data-base64 is no base64, or comes beside the text")
        }
        return bytes
    }

    private func authority(
        in folder: WalletFolder, at instant: Date, using generator: inout SystemRandomNumberGenerator
    ) throws -> WalletAuthority {
        do {
            guard !chainFlaws.isEmpty else { return try folder.authority(at: instant, using: &generator) }
            let flaws = Set(try chainFlaws.map { try Self.flaw($0, "chain-flaw") as ChainFlaw })
            guard !FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("root.pem").path) else {
                throw CommandFailure(.usage, code: "authority-exists", reason: "chain flaws need an empty authority folder")
            }
            let flawed = try WalletAuthority(at: instant, rsaLeafKey: RSAPrivateKey(bits: 2048), flaws: flaws, using: &generator)
            try folder.save(flawed)
            return flawed
        } catch let error as WalletSimulatorError {
            throw CommandFailure(.usage, code: error.code.description, reason: error.reason)
        }
    }

    private func merchantCertificate(
        from authority: WalletAuthority, in folder: WalletFolder, at instant: Date, using generator: inout SystemRandomNumberGenerator
    ) throws -> (MerchantCertificate, String) {
        if let certificate { return (try CommandInput.merchantCertificate(certificate), certificate) }
        let name = version == PaymentToken.Version.rsaV1.rawValue ? "merchant-rsa" : "merchant-ec"
        let path = folder.url.appendingPathComponent("\(name).cert.pem")
        if FileManager.default.fileExists(atPath: path.path) {
            let known = try MerchantCertificate(pem: CommandFile.text(path.path))
            if let merchant {
                // A token for another merchant than was asked for would be a lie.
                guard known.merchantIdentifierHash == MerchantIdentifier.hash(merchant) else {
                    throw CommandFailure(
                        .usage, code: "certificate-exists",
                        reason: "\(path.path) is another merchant's; give --merchant a folder of its own")
                }
            }
            return (known, path.path)
        }
        let key: PrivateKey = name == "merchant-rsa" ? .rsa(try RSAPrivateKey(bits: 2048)) : .p256(try P256PrivateKey(using: &generator))
        let made = try authority.merchantCertificate(
            for: key.publicKey, merchantIdentifier: merchant ?? "merchant.example.shop", notBefore: instant - 86_400, using: &generator)
        try CommandFile.writePrivate(
            folder.url.appendingPathComponent("\(name).key.pem").path, PEMText.Block(label: "PRIVATE KEY", bytes: key.pkcs8).text)
        try write(Array(made.pem.utf8), path)
        return (try MerchantCertificate(made), path.path)
    }

    private func version(_ merchant: MerchantCertificate) throws -> PaymentToken.Version {
        guard let version else {
            if case .rsa = merchant.publicKey.kind { return .rsaV1 }
            return .ecV1
        }
        guard let known = PaymentToken.Version(rawValue: version) else {
            throw CommandFailure(.usage, code: "wrong-version", reason: "a version is EC_v1 or RSA_v1")
        }
        return known
    }

    private func payload(_ generator: inout SystemRandomNumberGenerator) throws -> PaymentPayload {
        let money: Amount
        do throws(MoneyError) {
            money = try Amount(amount, currency: Currency(currency))
        } catch {
            throw CommandFailure(
                .usage, code: error.code.description,
                reason: "--amount \(amount) and --currency \(currency) are no amount, such as 33.00 of CNY: \(error.reason)")
        }
        func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
        let isEMV = network == PaymentNetwork.chinaUnionPay.rawValue
        let data: PaymentPayload.PaymentData =
            isEMV
            ? .emv(
                .init(
                    emvData: Secret(
                        StrictBase64.encode(
                            EMVTags.encode([([0x9F, 0x26], random(8)), ([0x9F, 0x36], [0, 1]), ([0x81], [2, 1]), ([0x83], random(104))]))),
                    encryptedPINData: encryptedPIN.map { Secret($0) }))
            : .threeDSecure(.init(onlinePaymentCryptogram: Secret(StrictBase64.encode(random(20))), eciIndicator: "7"))
        return PaymentPayload(
            applicationPrimaryAccountNumber: Secret(accountNumber ?? (isEMV ? "6233999999990017" : "4111119999990016")),
            applicationExpirationDate: "301231", currencyCode: money.currency.numericCode, transactionAmount: money.minorUnits,
            paymentData: data,
            merchantTokenIdentifier: merchantToken)
    }

    /// A token, which its file's earlier one gives way to, or a certificate.
    private func write(_ bytes: [UInt8], _ url: URL) throws {
        try CommandFile.replacePrivate(url.path, bytes)
    }

    private static func flaw<Flaw: RawRepresentable<String> & CaseIterable>(_ text: String, _ option: String) throws -> Flaw {
        guard let flaw = Flaw(rawValue: text) else {
            throw CommandFailure(
                .usage, code: "unknown-flaw",
                reason: "--\(option) \(text) is none of \(Flaw.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return flaw
    }
}
