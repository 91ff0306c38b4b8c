/// One row of the table of failures (mini-programs.md#failures): what a team sees, and the finding that names the cause.
public struct MiniProgramFailure: Sendable, Hashable {
    public var symptom: String
    /// The code of the finding.
    public var code: String

    /// Every row that a mini program's files and package, its metadata, its links, a run's transcript or trace, a failed consent, a page
    /// and its server's calls can show.
    ///
    /// These rows show in none of them. A scope cache under the wrong key, an expired code, the share of users and the interval of checks
    /// are known to the super app and the platform alone (`VersionChoice` says why a version was chosen). Unknown props, and taps that hit
    /// the wrong item, show in a view's trace. A simulator's switch is no file of the mini program. A page that looks at the browser's
    /// name, and one in a frame, fail in a browser only. Engine errors that a container does not forward leave nothing behind; this one
    /// forwards them.
    public static let listed: [MiniProgramFailure] = [
        Self(symptom: "getAuthCode always fails: authClientId is not configured", code: "mini-program.auth-client-unset"),
        Self(symptom: "getAuthCode always fails: appId passed as client id", code: "mini-program.auth-client-is-app-id"),
        Self(symptom: "signed calls INVALID_AUTH_CLIENT: an id of another kind", code: "mini-program.client-unknown"),
        Self(symptom: "getAuthCode always fails: the feature is not enabled", code: "mini-program.feature-missing"),
        Self(symptom: "getAuthCode always fails: no service registered", code: "mini-program.service-unregistered"),
        Self(symptom: "getAuthCode gives less than was asked: a scope refused", code: "mini-program.scope-refused"),
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
        Self(symptom: "request fails 11: a redirect left the list", code: "mini-program.redirect-left-list"),
        Self(symptom: "request fails 11: a script's address is not listed (files)", code: "mini-program.address-not-listed"),
        Self(symptom: "request fails 19: HTTP status goes to fail", code: "mini-program.request-status"),
        Self(symptom: "works in the IDE, not on a device: newer or a browser's built-in (files)", code: "mini-program.absent-built-in"),
        Self(symptom: "works in the IDE, not on a device: newer or a browser's built-in (run)", code: "mini-program.built-in-missing"),
        Self(symptom: "works in the IDE, not on a device: the device refuses", code: "mini-program.device-permission"),
        Self(symptom: "white screen: script error", code: "mini-program.script-error"),
        Self(symptom: "white screen: wrong path case", code: "mini-program.path-case"),
        Self(symptom: "white screen: page file missing", code: "mini-program.page-file"),
        Self(symptom: "component shows nothing: path, package or case", code: "mini-program.component-missing"),
        Self(symptom: "component shows nothing: component json says nothing", code: "mini-program.component-flag"),
        Self(symptom: "component shows nothing: a tag that nothing resolves", code: "mini-program.unresolved-tag"),
        Self(symptom: "a tap does nothing: no script has the handler", code: "mini-program.handler-missing"),
        Self(symptom: "props undefined in child: component2 is off", code: "mini-program.component2-off"),
        Self(symptom: "tab page's component not refreshed: no show in its life cycle", code: "mini-program.component-on-show"),
        Self(symptom: "setData slow: huge payload", code: "mini-program.set-data-large"),
        Self(symptom: "setData slow: too many calls", code: "mini-program.set-data-often"),
        Self(symptom: "old version still runs: the package is not signed", code: "mini-program.package-unsigned"),
        Self(symptom: "old version still runs: the signature is not a trusted key's", code: "mini-program.package-signature"),
        Self(symptom: "old version still runs: a file was changed after packing", code: "mini-program.package-changed"),
        Self(symptom: "old version still runs: the archive is damaged", code: "mini-program.package-damaged"),
        Self(symptom: "old version still runs: the archive is too large, or a bomb", code: "mini-program.package-too-large"),
        Self(symptom: "old version still runs: the archive has a path that leaves it", code: "mini-program.package-unsafe-path"),
        Self(symptom: "old version still runs: another mini program's package", code: "mini-program.package-of-other-app"),
        Self(symptom: "old version still runs: the metadata names another version", code: "mini-program.old-version"),
        Self(symptom: "web page in a web view lacks my: its script is missing", code: "mini-program.web-page-script"),
        Self(symptom: "page parameter truncated: not percent-encoded", code: "mini-program.link-truncated"),
        Self(symptom: "scan returns undefined: qrCode read where a bar code was", code: "mini-program.scan-member"),
    ]
}
