public import ApplePay
public import BillfoldDiagnosis
import BillfoldJSON
public import Foundation
public import PaymentCrypto

/// Explains Apple Pay artifacts: tokens, payloads, certificates, keys, payment requests, recorded sheets and merchant hints.
///
/// Causes are found by trying the known wrong variants and naming the one that fits; ``DiagnosedFailure/all`` lists them.
/// Hand over everything at once: many causes show only between two artifacts. A token of a simulator needs its root
/// certificate among the artifacts, or it is reported as forged.
public struct ApplePayDiagnostician: Diagnostician {
    /// Today, for certificates; nil leaves out whatever depends on it.
    public let instant: Date?
    /// Production, and the caller's test profiles.
    public let trust: [TrustPolicy]
    public let hashPairs: (any OAEPHashPairs)?
    /// Without it a `.p12` file stays closed.
    public let archives: (any MerchantKeyArchives)?

    public init(
        at instant: Date?, trust: [TrustPolicy] = [.production], hashPairs: (any OAEPHashPairs)? = nil,
        archives: (any MerchantKeyArchives)? = nil
    ) {
        self.instant = instant
        self.trust = trust
        self.hashPairs = hashPairs
        self.archives = archives
    }

    /// Names what it judges.
    public var subjects: String { "an Apple Pay token, request, certificate or key" }

    public func examine(_ artifacts: [Artifact]) -> Diagnosis {
        var evidence = CaseFile(instant: instant)
        for artifact in artifacts {
            for exhibit in Exhibit.read(artifact, archives) { evidence.add(exhibit, artifact.name) }
        }
        var diagnosis = Diagnosis()
        CertificateDiagnosis(file: evidence).examine(into: &diagnosis)
        CertificateRequestDiagnosis(file: evidence).examine(into: &diagnosis)
        RequestDiagnosis(file: evidence).examine(into: &diagnosis)
        WebSessionDiagnosis(file: evidence).examine(into: &diagnosis)
        let tokens = TokenDiagnosis(file: evidence, trust: trust, hashPairs: hashPairs)
        tokens.examine(into: &diagnosis)
        PayloadDiagnosis(file: evidence).examine(tokens.openedPayloads(), into: &diagnosis)
        // One cause can show from two sides, as when two tokens meet one wrong key.
        var seen: Set<Finding> = []
        diagnosis.findings = diagnosis.findings.filter { seen.insert($0).inserted }
        return diagnosis
    }
}

/// Everything that was handed over, sorted by kind and still under the artifact's name.
struct CaseFile {
    struct Named<Value> {
        var name: String
        var value: Value
    }

    let instant: Date?
    var tokens: [Named<PaymentToken>] = []
    var repaired: [Named<(TransportRepair, ApplePayError)>] = []
    var unreadable: [Named<(kind: String, error: ApplePayError)>] = []
    var unreadablePEM: [Named<PaymentCryptoError>] = []
    /// What says of each that it is encrypted.
    var encryptedKeys: [Named<String>] = []
    var certificateRequests: [Named<CertificateRequest>] = []
    var unreadableRequests: [Named<PaymentCryptoError>] = []
    var sessionRequests: [Named<JSONObject>] = []
    var merchantSessions: [Named<JSONObject>] = []
    /// Where in each file its token stands.
    var wrappers: [Named<String>] = []
    var emptyTokens: [String] = []
    var payloads: [Named<PaymentPayload>] = []
    /// Certificates that name a merchant.
    var merchants: [Named<ParsedCertificate>] = []
    /// Self-issued authorities: roots that the caller offers as anchors.
    var roots: [Named<ParsedCertificate>] = []
    /// Certificates that are neither.
    var others: [Named<ParsedCertificate>] = []
    var keys: [Named<PrivateKey>] = []
    var requests: [Named<PaymentRequest>] = []
    var sessions: [Named<SheetSession>] = []
    var hints: [Named<MerchantHints>] = []

    init(instant: Date?) { self.instant = instant }

    /// Certificates that tokens are encrypted to.
    var processing: [Named<ParsedCertificate>] { merchants.filter { !$0.value.isMerchantIdentity } }

    /// Keys that nothing ties to another use: a key with a certificate of its own belongs to that certificate.
    var looseKeys: [Named<PrivateKey>] {
        let certified = Set((merchants + others + roots).map { $0.value.publicKeyHash })
        return keys.filter { !certified.contains($0.value.publicKey.sha256) }
    }

    mutating func add(_ exhibit: Exhibit, _ name: String) {
        switch exhibit {
        case .token(let token): tokens.append(.init(name: name, value: token))
        case .damagedToken(let repair, let error): repaired.append(.init(name: name, value: (repair, error)))
        case .unreadableToken(let error): unreadable.append(.init(name: name, value: ("token", error)))
        case .emptyToken: emptyTokens.append(name)
        case .payload(let payload): payloads.append(.init(name: name, value: payload))
        case .unreadablePayload(let error): unreadable.append(.init(name: name, value: ("payload", error)))
        case .certificate(let certificate):
            if certificate.merchantUse != nil {
                merchants.append(.init(name: name, value: certificate))
            } else if certificate.isSelfIssued, certificate.isCertificateAuthority {
                roots.append(.init(name: name, value: certificate))
            } else {
                others.append(.init(name: name, value: certificate))
            }
        case .unreadablePEM(let error): unreadablePEM.append(.init(name: name, value: error))
        case .encryptedKey(let label): encryptedKeys.append(.init(name: name, value: label))
        case .wrapper(let path): wrappers.append(.init(name: name, value: path))
        case .certificateRequest(let request): certificateRequests.append(.init(name: name, value: request))
        case .unreadableCertificateRequest(let error): unreadableRequests.append(.init(name: name, value: error))
        case .sessionRequest(let object): sessionRequests.append(.init(name: name, value: object))
        case .merchantSession(let object): merchantSessions.append(.init(name: name, value: object))
        case .key(let key): keys.append(.init(name: name, value: key))
        case .request(let request): requests.append(.init(name: name, value: request))
        case .unreadableRequest(let error): unreadable.append(.init(name: name, value: ("request", error)))
        case .session(let session): sessions.append(.init(name: name, value: session))
        case .unreadableSession(let error): unreadable.append(.init(name: name, value: ("sheet-session", error)))
        case .hints(let value): hints.append(.init(name: name, value: value))
        }
    }
}

extension ParsedCertificate {
    var isMerchantIdentity: Bool { merchantUse == .identity }

    /// The hash that the wallet's servers use, by the extension or, where there is none, the subject.
    var anyMerchantIdentifierHash: [UInt8]? {
        certificateExtension(.merchantIdentifierHash) != nil
            ? merchantIdentifierHash : subject.userID.map { MerchantIdentifier.hash($0) }
    }
}
