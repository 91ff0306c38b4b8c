import Alipay
import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// The checks that every message of an application passes, in this order: method, application, charset, sign type, signature,
/// timestamp (alipay.md#checks) [O for the first, I for the whole order]. The parameters' and the business rules follow.
struct ModernChecks: Sendable {
    let context: AlipayServerContext
    let limiter: RateLimiter

    struct Passed: Sendable {
        var request: VerifiedModernRequest
        var application: MerchantRegister.Application
    }

    /// Throws ``ModernRefusal``.
    func pass(_ request: ModernRequest, methods: Set<String>) async throws -> Passed {
        guard let method = filled("method", in: request) else { throw ModernRefusal.missing("method") }
        guard methods.contains(method) else { throw ModernRefusal.invalid("invalid-method", "the gateway has no such method here") }
        guard let appID = filled("app_id", in: request) else { throw ModernRefusal.missing("app-id") }
        guard appID.utf8.count <= 32, let application = try await context.merchants.application(appID) else {
            throw ModernRefusal.invalid("invalid-app-id", "no application of this id is registered here")
        }
        let verified = try verify(request, application)
        // Counted after the signature: an application's id stands in every order string, and nobody else's calls count against it. What
        // nobody signed is held to its sender's address by the listener.
        guard limiter.admit(appID) == .admitted else { throw ModernRefusal.limited }
        try checkCommon(verified)
        return Passed(request: verified, application: application)
    }

    private func filled(_ name: String, in request: ModernRequest) -> String? {
        request.parameters[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private func verify(_ request: ModernRequest, _ application: MerchantRegister.Application) throws -> VerifiedModernRequest {
        guard let signType = filled("sign_type", in: request) else { throw ModernRefusal.missing("signature-type") }
        guard let algorithm = AlipaySignatureAlgorithm(rawValue: signType), algorithm != .md5 else {
            throw ModernRefusal.invalid("invalid-signature-type", "sign_type is RSA or RSA2")
        }
        guard filled("sign", in: request) != nil else { throw ModernRefusal.missing("signature") }
        if let certificates = application.certificates {
            guard let sent = filled("app_cert_sn", in: request), let root = filled("alipay_root_cert_sn", in: request) else {
                throw ModernRefusal.invalid(
                    "missing-app-cert-sn", "the application works with certificates: app_cert_sn and alipay_root_cert_sn are due")
            }
            guard sent == certificates.application else {
                throw ModernRefusal.invalid("invalid-app-cert-sn", "app_cert_sn is not that of the application's certificate")
            }
            guard certificates.applicationEnd >= context.clock.now() else {
                throw ModernRefusal.invalid("app-cert-expired", "the application's certificate has expired: register a new one")
            }
            guard root == certificates.root else {
                throw ModernRefusal.invalid("invalid-alipay-root-cert-sn", "alipay_root_cert_sn is not that of this gateway's root")
            }
        }
        let keys = application.keys
        guard (algorithm == .rsa ? keys.rsa : keys.rsa2) != nil else {
            throw ModernRefusal(
                failure: .condition("missing-signature-config", "the application has no key for \(algorithm.rawValue)"))
        }
        do {
            return try request.verified(by: keys)
        } catch {
            // Shows the text that the gateway verified, as the real one does [O]: what the sender signed must be this.
            let text = request.parameters.charset.display(request.signedBytes)
            if let former = application.application.formerKeys?.maker({ (try? request.verified(by: $0)) != nil }) {
                throw ModernRefusal(failure: .invalidSignature(former.reason, verifying: text))
            }
            throw ModernRefusal(failure: ModernFailure(error, verifying: text))
        }
    }

    /// How far a time lies ahead of the clock that it is nearest to, in seconds.
    private func distance(of time: AlipayTime) -> Int64 {
        let clocks = [context.clock, context.configuration.clientsClock].compactMap { $0 }
        return clocks.map { time.secondsSince1970 - $0.now().alipayTime.secondsSince1970 }.min { abs($0) < abs($1) } ?? 0
    }

    /// What is odd about a timestamp that is taken. How far off the open gateway lets one be is not published; older interfaces refuse one
    /// that is half an hour off (alipay.md#limits) [D].
    func clockWarning(_ request: VerifiedModernRequest) -> String? {
        guard let time = request["timestamp"].flatMap({ try? AlipayTime($0) }) else { return nil }
        let off = distance(of: time)
        guard abs(off) > 1_800 else { return nil }
        let hours = (abs(off) + 1_800) / 3_600
        let isWhole = abs(abs(off) - hours * 3_600) <= 120
        return "timestamp is \(abs(off)) s \(off < 0 ? "behind" : "ahead of") China's time (GMT+8)"
            + (isWhole ? ": \(hours) h, as of another time zone" : "")
    }

    private func checkCommon(_ request: VerifiedModernRequest) throws {
        guard let text = request["timestamp"] else { throw ModernRefusal.missing("timestamp") }
        guard let time = try? AlipayTime(text) else {
            throw ModernRefusal.invalid("invalid-timestamp", "timestamp is not yyyy-MM-dd HH:mm:ss")
        }
        let off = abs(distance(of: time))
        guard off <= context.configuration.timestampTolerance.components.seconds else {
            throw ModernRefusal.invalid("invalid-timestamp", "timestamp is \(off) seconds off; it is China's time (GMT+8)")
        }
        guard let version = request["version"] else { throw ModernRefusal.missing("version") }
        guard version == "1.0" else { throw ModernRefusal.invalid("invalid-parameter", "version is 1.0") }
        if let format = request["format"], format.uppercased() != "JSON" {
            throw ModernRefusal.invalid("invalid-format", "format is JSON")
        }
        // A merchant that authorised somebody else is not known here: the call would be for the caller's own trades.
        guard request["app_auth_token"] == nil else {
            throw ModernRefusal(failure: .invalidToken("no application was authorised here to act for another merchant"))
        }
        guard request["encrypt_type"] == nil else {
            throw ModernRefusal.invalid("invalid-encrypt-type", "encrypted content is not taken here")
        }
    }
}
