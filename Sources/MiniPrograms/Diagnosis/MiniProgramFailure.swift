/// One row of the reference's table of failures (section 10): what a team sees, and the finding that names the cause.
public struct MiniProgramFailure: Sendable, Hashable {
    public var symptom: String
    /// The code of the finding.
    public var code: String

    /// Every row that a mini program's files, its metadata, its links, a run's transcript and its server's calls can show.
    public static let listed: [MiniProgramFailure] = [
        Self(symptom: "getAuthCode always fails: authClientId is not configured", code: "mini-program.auth-client-unset"),
        Self(symptom: "getAuthCode always fails: appId passed as client id", code: "mini-program.auth-client-is-app-id"),
        Self(symptom: "getAuthCode always fails: the feature is not enabled", code: "mini-program.feature-missing"),
        Self(symptom: "consent page appears every time: scopes not cached", code: "mini-program.consent-not-cached"),
        Self(symptom: "consent loop: getAuthCode called from onShow (files)", code: "mini-program.auth-in-on-show"),
        Self(symptom: "consent loop: getAuthCode called again and again (run)", code: "mini-program.auth-loop"),
        Self(symptom: "applyToken INVALID code: code reused", code: "mini-program.code-reused"),
        Self(symptom: "applyToken INVALID code: other client", code: "mini-program.code-of-other-client"),
        Self(symptom: "tradePay nothing happens: none or several forms", code: "mini-program.trade-pay-forms"),
        Self(symptom: "tradePay nothing happens: wrong case (run)", code: "mini-program.trade-pay-case"),
        Self(symptom: "tradePay nothing happens: wrong case (files)", code: "mini-program.trade-no-case"),
        Self(symptom: "paid but shop shows failed: a code that is not final", code: "mini-program.payment-not-final"),
        Self(symptom: "result compared with number", code: "mini-program.result-code-number"),
        Self(symptom: "request fails 11: domain not listed", code: "mini-program.domain-not-listed"),
        Self(symptom: "request fails 11: list changed after build", code: "mini-program.domain-after-build"),
        Self(symptom: "request fails 19: HTTP status goes to fail", code: "mini-program.request-status"),
        Self(symptom: "white screen: script error", code: "mini-program.script-error"),
        Self(symptom: "white screen: wrong path case", code: "mini-program.path-case"),
        Self(symptom: "white screen: page file missing", code: "mini-program.page-file"),
        Self(symptom: "component shows nothing: path, package or case", code: "mini-program.component-missing"),
        Self(symptom: "component shows nothing: component json says nothing", code: "mini-program.component-flag"),
        Self(symptom: "page parameter truncated: not percent-encoded", code: "mini-program.link-truncated"),
        Self(symptom: "scan returns undefined: qrCode read where a bar code was", code: "mini-program.scan-member"),
    ]
}
