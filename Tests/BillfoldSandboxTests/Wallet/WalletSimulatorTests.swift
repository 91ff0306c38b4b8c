import ApplePay
import ApplePayForging
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldSandbox
import Foundation
import Hummingbird
import HummingbirdTesting
import PaymentCrypto
import Testing

@testable import PassKitSimulator

/// The wallet's servers and the certificate office, as a merchant meets them.
@Suite struct WalletSimulatorTests {
    private static let now = Date(timeIntervalSince1970: 1_795_000_000)
    private static let merchant = "merchant.example.shop"

    private static func directory() throws -> MerchantDirectory {
        var generator = SystemRandomNumberGenerator()
        let authority = try WalletAuthority(at: now, rsaLeafKey: RSAPrivateKey(bits: 2048), using: &generator)
        return MerchantDirectory(authority: authority, clock: { now }, generator: generator)
    }

    private static func payment(_ network: PKPaymentNetwork, pin: String? = nil) -> AuthorizedPayment {
        AuthorizedPayment(
            card: WalletCard(id: "card-\(network.rawValue)", issuer: "Bank of Examples", suffix: "6222", network: network, type: .debit),
            merchantIdentifier: merchant, merchantCapabilities: [.threeDSecure, .emv], supportedNetworks: [network], countryCode: "CN",
            currencyCode: "CNY", amount: 33, applicationData: Data("order-1".utf8), kind: .oneTime, pin: pin.flatMap { EnteredPIN($0) })
    }

    private static func payload(_ token: IssuedToken, _ directory: MerchantDirectory, _ keys: [ProcessingKey]) throws -> PaymentPayload {
        let verifier = TokenVerifier(trust: directory.authority.trust)
        let verified = try UnverifiedToken([UInt8](token.paymentData)).verified(by: verifier, at: now)
        let payload = try TokenDecryptor(keys: .processing(keys)).open(verified)
        try OrderBinding(amount: Amount(minorUnits: 3_300, currency: .cny), applicationData: Array("order-1".utf8)).check(verified, payload)
        return payload
    }

    @Test func cardsOfEachNetworkPayTheMerchantThatAskedForCertificates() async throws {
        var generator = SystemRandomNumberGenerator()
        let directory = try Self.directory()
        let (ec, rsa) = (try P256PrivateKey(using: &generator), try RSAPrivateKey(bits: 2048))
        let subject = CertificateRequest.merchantSubject(identifier: Self.merchant)
        _ = try await directory.issue(CertificateRequest(subject: subject, signer: ec), kind: .processing)
        _ = try await directory.issue(CertificateRequest(subject: subject, signer: rsa), kind: .processing)
        let keys = [
            try ProcessingKey(.p256(ec), merchantIdentifier: Self.merchant),
            try ProcessingKey(.rsa(rsa), merchantIdentifier: Self.merchant),
        ]
        let wallet = WalletSimulator(directory: directory, clock: { Self.now }, generator: generator)

        let unionPay = try Self.payload(await wallet.token(for: Self.payment(.chinaUnionPay, pin: "123456")), directory, keys)
        guard case .emv(let emv) = unionPay.paymentData else {
            Issue.record("not EMV")
            return
        }
        #expect(emv.encryptedPINData != nil)
        #expect(try EMVTags(StrictBase64.decode(emv.emvData.reveal()))["9F36"] == [0, 1])
        let again = try Self.payload(await wallet.token(for: Self.payment(.chinaUnionPay)), directory, keys)
        guard case .emv(let second) = again.paymentData else {
            Issue.record("not EMV")
            return
        }
        #expect(second.encryptedPINData == nil)
        #expect(try EMVTags(StrictBase64.decode(second.emvData.reveal()))["9F36"] == [0, 2])
        #expect(again.applicationPrimaryAccountNumber.reveal() == unionPay.applicationPrimaryAccountNumber.reveal())

        let visa = try Self.payload(await wallet.token(for: Self.payment(.visa)), directory, keys)
        guard case .threeDSecure = visa.paymentData else {
            Issue.record("not 3-D Secure")
            return
        }

        var knobs = WalletKnobs()
        knobs.signingTimeOffsetSeconds = -3_600
        await wallet.set(knobs)
        let stale = try await UnverifiedToken([UInt8](wallet.token(for: Self.payment(.visa)).paymentData))
        #expect(throws: ApplePayError(code: .tokenStale, reason: "")) {
            try stale.verified(by: TokenVerifier(trust: directory.authority.trust), at: Self.now)
        }
    }

    @Test func merchantWithoutACertificateGetsNoToken() async throws {
        let wallet = WalletSimulator(directory: try Self.directory(), clock: { Self.now }, generator: SystemRandomNumberGenerator())
        await #expect(throws: WalletSimulatorError.self) { try await wallet.token(for: Self.payment(.visa)) }
    }

    @Test func officeIssuesListsAndActivates() async throws {
        var generator = SystemRandomNumberGenerator()
        let directory = try Self.directory()
        let router = Router()
        CertificateOffice(directory: directory).addRoutes(to: router)
        let subject = CertificateRequest.merchantSubject(identifier: Self.merchant)
        let first = try CertificateRequest(subject: subject, signer: P256PrivateKey(using: &generator)).pem
        let second = try CertificateRequest(subject: subject, signer: P256PrivateKey(using: &generator)).pem
        try await Application(router: router).test(.router) { client in
            let root = try await client.execute(uri: "/certificates/root", method: .get)
            #expect(try ParsedCertificate(pem: String(buffer: root.body)) == directory.authority.root)
            let made = try await client.execute(uri: "/certificates/processing", method: .post, body: ByteBuffer(string: first))
            #expect(made.status == .created)
            let certificate = try MerchantCertificate(pem: String(buffer: made.body))
            #expect(certificate.merchantIdentifier == Self.merchant)
            #expect(certificate.certificate.isSigned(by: try directory.authority.intermediate.publicKey))
            let next = try await client.execute(uri: "/certificates/processing", method: .post, body: ByteBuffer(string: second))
            let location = try #require(next.headers[.location])
            #expect(await directory.all.map(\.isActive) == [true, false])
            let activated = try await client.execute(uri: "\(location)/activation", method: .post)
            #expect(activated.status == .ok)
            #expect(await directory.all.map(\.isActive) == [false, true])
            let list = try await client.execute(uri: "/certificates", method: .get)
            #expect(try JSONReader.readObject([UInt8](list.body.readableBytesView))["certificates"]?.array?.count == 2)
            let one = try await client.execute(uri: location, method: .get)
            #expect(one.status == .ok)
        }
    }

    @Test(arguments: [("processing", "not a request", 422), ("identity", "EC", 422)])
    func officeRefusesWhatItCannotIssue(kind: String, body: String, status: Int) async throws {
        var generator = SystemRandomNumberGenerator()
        let router = Router()
        CertificateOffice(directory: try Self.directory()).addRoutes(to: router)
        let subject = CertificateRequest.merchantSubject(identifier: Self.merchant)
        let text = body == "EC" ? try CertificateRequest(subject: subject, signer: P256PrivateKey(using: &generator)).pem : body
        try await Application(router: router).test(.router) { client in
            let answer = try await client.execute(uri: "/certificates/\(kind)", method: .post, body: ByteBuffer(string: text))
            #expect(answer.status.code == status)
            #expect(try JSONReader.readObject([UInt8](answer.body.readableBytesView))["error"]?.object?["code"]?.string != nil)
            let missing = try await client.execute(uri: "/certificates/00", method: .get)
            #expect(missing.status == .notFound)
        }
    }

    @Test(arguments: ["", "{", "[]", #"{"key":"EC","key":"EC"}"#, #"{"key":"DSA"}"#, #"{"key":"EC","bits":1}"#])
    func officeRefusesARotationThatItCannotRead(body: String) async throws {
        let router = Router()
        let office = CertificateOffice(directory: try Self.directory()) { _ in
            throw WalletSimulatorError(code: .keyKind, reason: "nothing is to be rotated here")
        }
        office.addRoutes(to: router)
        try await Application(router: router).test(.router) { client in
            let answer = try await client.execute(uri: "/certificates/rotations", method: .post, body: ByteBuffer(string: body))
            #expect(answer.status == .unprocessableContent)
        }
    }

    @Test func folderKeepsAuthorityAndRegister() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("wallet-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        var generator = SystemRandomNumberGenerator()
        let folder = WalletFolder(url)
        let directory = try folder.directory(at: Self.now, clock: { Self.now }, generator: generator)
        let request = try CertificateRequest(
            subject: CertificateRequest.merchantSubject(identifier: Self.merchant), signer: P256PrivateKey(using: &generator))
        let issued = try await directory.issue(request, kind: .processing)
        let restarted = try folder.directory(at: Self.now, clock: { Self.now }, generator: generator)
        #expect(restarted.authority.root == directory.authority.root)
        #expect(await restarted.all.map(\.serial) == [issued.serial])
        #expect(await restarted.all.map(\.isActive) == [true])
        let mode =
            try FileManager.default.attributesOfItem(atPath: url.appendingPathComponent("leaf.key.pem").path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }
}
