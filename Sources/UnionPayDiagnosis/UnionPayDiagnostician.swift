public import BillfoldDiagnosis
public import Foundation
public import UnionPay

/// Says what is wrong with UnionPay messages, certificates, keys and logs, by trying the known mistakes until one fits.
///
/// A message with no finding is well signed; one that nobody gave a key for is identified and not judged.
public struct UnionPayDiagnostician: Diagnostician {
    private let trust: UnionPayTrust?
    private let keys: DiagnosticKeys
    private let instant: Date

    /// - Parameters:
    ///   - trust: Whom replies may chain to. CA certificates among the artifacts are added; with neither, chains are not judged.
    ///   - keys: Secrets and passwords to try, besides the keys and certificates among the artifacts.
    ///   - instant: The time for which certificates are judged.
    public init(trust: UnionPayTrust? = nil, keys: DiagnosticKeys = DiagnosticKeys(), instant: Date) {
        self.trust = trust
        self.keys = keys
        self.instant = instant
    }

    /// Names what it judges.
    public var subjects: String { "a message, certificate or key of UnionPay" }

    public func examine(_ artifacts: [Artifact]) -> Diagnosis {
        var diagnosis = Diagnosis()
        var messages: [(String, Exhibit.MessageExhibit)] = []
        var ring = DiagnosticKeyRing()
        for artifact in artifacts {
            guard let exhibit = Exhibit.read(artifact, keys) else { continue }
            switch exhibit {
            case .message(let message):
                messages.append((artifact.name, message))
            case .log(let entries):
                diagnosis.identified.append(
                    .init(
                        artifact: artifact.name, kind: "unionpay.log", summary: "a log of \(entries.count) UnionPay events"))
                diagnosis.findings += StateLog(subject: artifact.name, entries: entries).findings()
            case .certificates(let certificates):
                for certificate in certificates { ring.add(certificate, from: artifact.name) }
            case .key(let key): ring.add(key, from: artifact.name)
            case .pkcs12(let key, let certificate):
                diagnosis.identified.append(
                    .init(
                        artifact: artifact.name, kind: "unionpay.pfx",
                        summary: "a key with its certificate, certId \(CertificateID(certificate))"))
                ring.add(certificate, from: artifact.name)
                ring.add(key, from: artifact.name)
            case .closedPKCS12:
                diagnosis.identified.append(
                    .init(
                        artifact: artifact.name, kind: "pkcs12", summary: "a PKCS#12 file that no given password opens"))
                diagnosis.findings.append(Self.closed(artifact.name, tried: keys.passwords.count))
            case .incompletePKCS12(let reason):
                diagnosis.identified.append(
                    .init(artifact: artifact.name, kind: "pkcs12", summary: "a PKCS#12 file that its password opens, without all it needs"))
                diagnosis.findings.append(Self.incomplete(artifact.name, reason))
            case .costlyPKCS12(let rounds):
                diagnosis.identified.append(
                    .init(artifact: artifact.name, kind: "pkcs12", summary: "a PKCS#12 file that was not opened"))
                diagnosis.findings.append(Self.tooCostly(artifact.name, rounds))
            case .unreadable(let error):
                diagnosis.identified.append(
                    .init(
                        artifact: artifact.name, kind: "unionpay.message", summary: "a UnionPay message that cannot be read"))
                diagnosis.findings.append(unreadable(artifact.name, error))
            }
        }
        var trust = self.trust
        if !ring.anchors.isEmpty {
            trust = trust ?? UnionPayTrust(anchors: [], organisations: [UnionPayTrust.organisation, UnionPayTrust.testOrganisation])
            trust?.anchors += ring.anchors
            trust?.intermediates += ring.intermediates
        }
        for (name, message) in messages {
            let examination = MessageExamination(
                subject: name, message: message, ring: ring, trust: trust, keys: keys, instant: instant)
            let (summary, unjudged, findings) = examination.run()
            diagnosis.identified.append(.init(artifact: name, kind: "unionpay.message", summary: summary, unjudged: unjudged))
            diagnosis.findings += findings
        }
        diagnosis.findings += MessagePairLint(messages: messages).findings()
        return diagnosis
    }

    private static func closed(_ name: String, tried: Int) -> Finding {
        Finding(
            code: "pkcs12-password", severity: .warning, subject: name,
            cause: "No password that was tried opens the file, so nothing in it was judged.",
            evidence: [.init("passwords tried", String(tried))],
            mend: "Hand over the password with which it was exported: --password-file FILE. A file that was cut opens with none.")
    }

    private static func incomplete(_ name: String, _ reason: String) -> Finding {
        Finding(
            code: "pkcs12-incomplete", subject: name, cause: "The password fits, and \(reason).", evidence: [.init("reason", reason)],
            mend: "Export the certificate together with its private key, on the machine where the key was made.")
    }

    private static func tooCostly(_ name: String, _ rounds: Int) -> Finding {
        let budget = DiagnosisBudget.current
        return Finding(
            code: "pkcs12-rounds", severity: .warning, subject: name,
            cause: "The file has its password hashed more often than all files together may ask for here, so nothing in it was judged.",
            evidence: [
                .init("rounds", String(rounds)), .init("rounds left", String(budget.roundsLeft)),
                .init("rounds of all files", budget.mostRounds == .max ? "no limit" : String(budget.mostRounds)),
            ],
            mend: "Hand it over alone, to billfold doctor on the command line, or write it again with fewer rounds (OpenSSL's -iter).")
    }

    private func unreadable(_ name: String, _ error: UnionPayError) -> Finding {
        let evidence = [Finding.Evidence("error", error.description)]
        switch error.code {
        case .duplicateField:
            return Finding(
                code: "unionpay.duplicate-field", subject: name, cause: "A field occurs twice, as when a query string was merged in.",
                evidence: evidence, mend: "Take the fields from the POST body alone; UnionPay sends each once.")
        default:
            return Finding(
                code: "unionpay.malformed-body", subject: name, cause: "The body is not a well-formed list of fields.",
                evidence: evidence,
                mend: "Percent-encode values in requests (a bare % or & breaks them); read replies by counting brackets.")
        }
    }
}
