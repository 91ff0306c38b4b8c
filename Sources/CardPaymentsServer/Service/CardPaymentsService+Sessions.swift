import ApplePay
import BillfoldJSON
import BillfoldServer
import HTTPTypes

/// Merchant sessions for pages on the web (apple-pay.md#web-session).
extension CardPaymentsService {
    /// Asks Apple for a session with the merchant's identity certificate and hands the answer on untouched. It is used once and
    /// ends after five minutes [D], so nothing keeps it.
    ///
    /// - Throws: `validation-url-refused`, `domain-unknown`, `session-not-configured`, `session-unavailable`.
    func walletSession(at validationURL: String, domain: String, merchant: MerchantProfile) async throws -> [UInt8] {
        let allowed = SessionAddress(mode: context.configuration.mode, testOrigin: context.configuration.testSessionOrigin)
        let url = try allowed.checked(validationURL)
        guard merchant.domains.contains(domain) else {
            throw CardPaymentsError(code: .domainUnknown, reason: "the domain is none of the merchant's")
        }
        guard let sender = merchant.walletSessions, !merchant.displayName.isEmpty else {
            throw CardPaymentsError(code: .sessionNotConfigured, reason: "the merchant has no usable identity certificate")
        }
        let body = JSONObject([
            .init("merchantIdentifier", .string(merchant.applePayIdentifier)), .init("displayName", .string(merchant.displayName)),
            .init("initiative", .string("web")), .init("initiativeContext", .string(domain)),
        ])
        let answer: OutgoingAnswer
        do throws(SendFailure) {
            // The address was matched against a list of ours, so it counts as configured.
            answer = try await sender.send(
                OutgoingRequest(
                    method: .post, url: url, headers: [.contentType: "application/json; charset=utf-8"], body: JSONWriter.write(body),
                    destination: .configured, timeout: .seconds(10), maximumAnswerBytes: 65_536))
        } catch {
            throw CardPaymentsError(code: .sessionUnavailable, reason: "no session: \(error.code)")
        }
        guard answer.status == .ok, !answer.body.isEmpty else {
            throw CardPaymentsError(code: .sessionUnavailable, reason: "no session: Apple answered \(answer.status.code)")
        }
        return answer.body
    }

    /// The file that proves a host to Apple.
    func domainAssociation(of host: String) -> [UInt8]? {
        context.merchants.all.first { $0.domains.contains(host) }?.domainAssociation
    }
}

/// Which `validationURL` a server may call: a page names it, so anything else would let the page make us call whom it likes [D].
struct SessionAddress {
    /// Apple's page names the first; Safari hands over the second. [D]
    private static let paths: Set<String> = ["/paymentservices/paymentSession", "/paymentservices/startSession"]

    let mode: ServerMode
    let testOrigin: String?

    /// The address to call. HTTPS, a host of Apple's gateways without port, user or query, an exact path.
    func checked(_ url: String) throws(CardPaymentsError) -> String {
        let scheme = "https://"
        guard url.hasPrefix(scheme), let slash = url.dropFirst(scheme.count).firstIndex(of: "/"), Self.paths.contains(String(url[slash...]))
        else { throw refused }
        if mode == .test, String(url[..<slash]) == testOrigin { return url }
        let host = url[..<slash].dropFirst(scheme.count)
        guard host.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 46 }),
            host.hasSuffix(".apple.com")
        else { throw refused }
        let label = host.dropLast(".apple.com".count)
        let name = label.hasPrefix("cn-") ? label.dropFirst(3) : label
        // One label under apple.com: the gateway itself, or one of its places such as -nc-pod1. [D]
        guard !label.contains("."), name == "apple-pay-gateway" || name.hasPrefix("apple-pay-gateway-") else { throw refused }
        // Apple's own test environment ends in -cert. [D]
        guard name.hasSuffix("-cert") == (mode == .test) else { throw refused }
        return url
    }

    private var refused: CardPaymentsError {
        CardPaymentsError(code: .validationURLRefused, reason: "validationURL does not lead to Apple's session endpoint")
    }
}
