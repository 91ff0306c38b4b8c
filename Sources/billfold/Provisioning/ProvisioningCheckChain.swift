import ApplePay
import ArgumentParser
import BillfoldJSON
import PaymentCrypto

/// `provisioning check-chain`: the policy on a callback's certificates, one row per rule.
struct ProvisioningCheckChain: ProvisioningReplying {
    static let configuration = CommandConfiguration(
        commandName: "check-chain", abstract: "Judge the certificates of a callback, rule by rule.",
        discussion: """
            Without --root only Apple's production root is trusted. A root among the certificates is never trusted. Exits with 1 when the \
            chain is refused.
            """)

    @Argument(help: "Certificates in PEM or DER, in any order; a file may hold several.") var certificates: [String]
    @Option(help: "A test root in PEM to trust instead of Apple's.") var root: String?
    @Option(help: "With --root, the common name that the sub-CA must have.") var intermediateName: String?
    @Option(help: "The instant to judge dates at (ISO 8601); default: now.") var at: String?
    @Flag(help: "The leaf is for RSA_V2.") var rsa = false
    @OptionGroup var format: AlwaysJSON

    func validate() throws {
        if certificates.isEmpty { throw ValidationError("Name at least one certificate.") }
        if intermediateName != nil, root == nil { throw ValidationError("--intermediate-name belongs to --root.") }
    }

    func reply() async throws -> CommandReply {
        let instant = try CommandInput.instant(at)
        var trust = ProvisioningTrust.production
        if let root {
            let roots = try CommandInput.anchors(root)
            guard roots.allSatisfy({ $0.isSelfIssued && $0.isCertificateAuthority }) else {
                throw CommandFailure(.refused, code: "root-unfit", reason: "\(root) holds a certificate that is no root")
            }
            trust = if let intermediateName { .test(roots: roots, intermediateNames: [intermediateName]) } else { .test(roots: roots) }
        }
        var found: [[UInt8]] = []
        var unreadable: [String] = []
        for path in certificates {
            let bytes = try CommandFile.read(path)
            guard bytes.first != 0x30 else {
                found.append(bytes)
                continue
            }
            do throws(PaymentCryptoError) {
                let blocks = try PEMText(String(decoding: bytes, as: UTF8.self)).blocks.filter { $0.label == "CERTIFICATE" }
                if blocks.isEmpty { unreadable.append("\(path) holds no certificate") }
                found += blocks.map(\.bytes)
            } catch {
                unreadable.append("\(path): \(error.reason)")
            }
        }
        let report = ProvisioningChainPolicy(trust: trust, scheme: rsa ? .rsaV2 : .eccV2).check(found, at: instant, unreadable: unreadable)
        return Self.reply(report)
    }

    private static func reply(_ report: ProvisioningChainReport) -> CommandReply {
        let rows = report.rows.map { row in
            let (outcome, reason): (String, String) =
                switch row.outcome {
                case .passed: ("passed", "")
                case .refused(let reason): ("refused", reason)
                case .notReached: ("not-reached", "")
                }
            return JSONValue.object(
                JSONObject([
                    .init("rule", .string(row.code.description)), .init("outcome", .string(outcome)), .init("reason", .string(reason)),
                ]))
        }
        var members: [JSONObject.Member] = [
            .init("accepted", .bool(report.isAccepted)), .init("trust", .string(report.trust)), .init("rules", .array(rows)),
        ]
        do throws(ApplePayError) {
            members.append(.init("publicKeyHash", .string(Hexadecimal.encode(try report.leafKey().sha256))))
        } catch {
            let failure = JSONObject([.init("code", .string(error.code.description)), .init("reason", .string(error.reason))])
            members.append(.init("error", .object(failure)))
        }
        return CommandReply(members, exitCode: report.isAccepted ? 0 : 1)
    }
}
