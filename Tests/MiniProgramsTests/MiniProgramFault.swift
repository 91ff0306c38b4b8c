import BillfoldDiagnosis
import Foundation

/// How one listed failure is made, and the evidence that the finding must have.
enum MiniProgramFault {
    typealias Make = @Sendable (inout MiniProgramCase) -> (name: String, value: String)?

    private static let page = "pages/a/a.js"

    static let all: [String: Make] = {
        let lists = [authorization, payment, requests, sources, runs, packages, pages]
        return Dictionary(
            lists.flatMap { $0 }.map { ("mini-program.\($0.0)", $0.1) }, uniquingKeysWith: { first, _ in first })
    }()

    /// Two faults of which one hides the other: they change the same thing.
    static func hide(_ first: String, _ second: String) -> Bool {
        let archive = ["package-damaged", "package-too-large", "package-unsafe-path"]
        let inPackage = ["package-unsigned", "package-signature", "package-changed", "package-of-other-app", "old-version"]
        let sets: [[String]] = [
            ["auth-client-unset", "auth-client-is-app-id", "code-reused", "code-of-other-client", "client-unknown"],
            ["component-missing", "component-flag"], ["component-missing", "component-on-show", "component2-off"],
            ["path-case", "unresolved-tag", "handler-missing"], ["page-file", "handler-missing"],
            ["page-file", "auth-in-on-show", "trade-no-case", "result-code-number", "absent-built-in", "address-not-listed"],
            ["package-unsigned", "package-signature"], ["package-of-other-app", "old-version"],
            // One file holds one failure of consent.
            ["auth-client-unset", "service-unregistered", "consent-not-cached", "scope-refused"],
        ]
        return sets.contains { $0.contains(first) && $0.contains(second) }
            || archive.contains(first) && (archive + inPackage).contains(second)
            || archive.contains(second) && inPackage.contains(first)
    }

    private static let authorization: [(String, Make)] = [
        (
            "auth-client-unset",
            {
                $0.tokens = []
                if $0.random.next() % 2 == 0 {
                    $0.metadata["authClientId"] = nil
                    return ("appId", $0.app)
                }
                $0.fail(#"{"error":15,"errorMessage":"auth-client-unset: authClientId is not set"}"#)
                return ("errorMessage", "auth-client-unset: authClientId is not set")
            }
        ),
        (
            "client-unknown",
            {
                let message = "Client-Id AUTHOR\($0.random.next() % 99) is an author of mini programs"
                $0.tokens.append(
                    #"{"result":{"resultCode":"INVALID_AUTH_CLIENT","resultStatus":"F","resultMessage":"\#(message)"}}"#)
                return ("resultMessage", message)
            }
        ),
        (
            "auth-client-is-app-id",
            {
                $0.metadata["authClientId"] = $0.app
                $0.tokens = []
                return ("authClientId", $0.app)
            }
        ),
        (
            "feature-missing",
            {
                $0.features.removeAll { $0 == "payment" }
                $0.entries += [
                    $0.call("tradePay", #"{"orderStr":"o"}"#), $0.answer("tradePay", #"{"error":4,"errorMessage":"no"}"#, ok: false),
                ]
                return ("feature", "payment")
            }
        ),
        (
            "service-unregistered",
            {
                let message = "service-unregistered: OAuthService is not registered"
                $0.fail(#"{"error":15,"errorMessage":"\#(message)"}"#)
                return ("errorMessage", message)
            }
        ),
        (
            "scope-refused",
            {
                let scope = "SCOPE_\($0.random.next() % 100)"
                $0.fail(#"{"error":11,"errorMessage":"user-cancelled: no","authErrorScopes":{"\#(scope)":"not allowed"}}"#)
                return (scope, "not allowed")
            }
        ),
        (
            "consent-not-cached",
            {
                let message = "consent-not-cached: still 2001 after \($0.random.next() % 10) s"
                $0.fail(#"{"error":15,"errorMessage":"\#(message)","authErrorScopes":{}}"#)
                return ("errorMessage", message)
            }
        ),
        (
            "auth-in-on-show",
            {
                $0.files[page] = $0.files[page]?.replacing("this.x = 1", with: "my.getAuthCode({})")
                return nil
            }
        ),
        (
            "auth-loop",
            {
                let calls = 3 + Int($0.random.next() % 5)
                if $0.random.next() % 2 == 0 {
                    $0.entries.append(#"{"kind":"opened","page":"pages/b/b"}"#)
                    $0.entries += Array(repeating: $0.call("getAuthCode", "{}"), count: calls)
                    $0.entries.append(
                        #"{"kind":"warning","text":"getAuthCode was called twice since the page was shown: from onShow it repeats for ever"}"#
                    )
                } else {
                    $0.trace.append(#"{"in":{"kind":"event","body":{"page":1,"handler":"sign"}}}"#)
                    for id in 0..<calls { $0.trace += $0.traced("getAuthCode", 1_000 + id) }
                }
                return ("calls", String(calls))
            }
        ),
        (
            "code-reused",
            {
                $0.tokens.append($0.tokens.first ?? $0.token(code: "c"))
                return ("also in", "token-0.json")
            }
        ),
        (
            "code-of-other-client",
            {
                let other = "OTHER\($0.random.next() % 99)"
                $0.tokens = [$0.token(code: "code-\($0.random.next())", client: other)]
                return ("authClientId", other)
            }
        ),
    ]

    private static let payment: [(String, Make)] = [
        (
            "trade-pay-forms",
            {
                $0.entries.append($0.call("tradePay", #"{"tradeNO":"1","orderStr":"\#($0.random.next())"}"#))
                return ("arguments", "tradeNO, orderStr")
            }
        ),
        (
            "trade-pay-case",
            {
                $0.entries.append($0.call("tradePay", #"{"tradeNo":"\#($0.random.next())"}"#))
                return ("arguments", "tradeNo")
            }
        ),
        (
            "trade-no-case",
            {
                $0.files[page]? += "\nmy.tradePay({ tradeNo: no\($0.random.next()) })"
                return ("text", "tradeNo:")
            }
        ),
        (
            "payment-not-final",
            {
                let code = $0.random.next() % 2 == 0 ? "6004" : "8000"
                $0.entries += [$0.call("tradePay", #"{"orderStr":"o"}"#), $0.answer("tradePay", #"{"resultCode":"\#(code)"}"#)]
                return ("resultCode", code)
            }
        ),
        (
            "result-code-number",
            {
                $0.files[page]? += "\nif (res.resultCode === 9000) { ok() }"
                return ("line", "2")
            }
        ),
    ]

    private static let requests: [(String, Make)] = [
        (
            "domain-not-listed",
            {
                let host = "h\($0.random.next() % 99).other.test"
                $0.entries += [
                    $0.call("request", #"{"url":"https://\#(host)/"}"#), $0.answer("request", #"{"error":11}"#, ok: false),
                ]
                return ("host", host)
            }
        ),
        (
            "domain-after-build",
            {
                $0.built = []
                $0.entries += [
                    $0.call("request", #"{"url":"https://\#($0.host)/y"}"#), $0.answer("request", #"{"error":11}"#, ok: false),
                ]
                return ("host", $0.host)
            }
        ),
        (
            "redirect-left-list",
            {
                let message = "request was redirected: 'r\($0.random.next() % 99).test' is not on the list of 1 domains"
                $0.entries += [
                    $0.call("request", #"{"url":"https://\#($0.host)/y"}"#),
                    $0.answer("request", #"{"error":11,"errorMessage":"\#(message)"}"#, ok: false),
                ]
                return ("errorMessage", message)
            }
        ),
        (
            "address-not-listed",
            {
                let host = "h\($0.random.next() % 99).other.test"
                $0.files[page]? += "\nmy.request({ url: 'https://\(host)/a' })"
                return ("address", "https://\(host)")
            }
        ),
        (
            "request-status",
            {
                let status = 400 + $0.random.next() % 99
                $0.entries += [
                    $0.call("request", #"{"url":"https://\#($0.host)/y"}"#),
                    $0.answer("request", #"{"error":19,"status":\#(status)}"#, ok: false),
                ]
                return ("status", String(status))
            }
        ),
    ]

    private static let sources: [(String, Make)] = [
        (
            "absent-built-in",
            {
                let name = ["fetch", "structuredClone", "atob"][Int($0.random.next() % 3)]
                $0.files[page]? += "\nPage({ onReady() { this.y = \(name)(x) } })"
                return ("name", name)
            }
        ),
        (
            "path-case",
            {
                $0.files["pages/a/A.axml"] = $0.files.removeValue(forKey: "pages/a/a.axml")
                return ("value", "pages/a/A.axml")
            }
        ),
        (
            "page-file",
            {
                $0.files[page] = nil
                return ("value", page)
            }
        ),
        (
            "component-missing",
            {
                $0.files["components/cup/cup.json"] = nil
                return ("value", "components/cup/cup.json")
            }
        ),
        (
            "component-flag",
            {
                $0.files["components/cup/cup.json"] = "{}"
                return nil
            }
        ),
        (
            "unresolved-tag",
            {
                let tag = "lost-\($0.random.next() % 99)"
                $0.files["pages/a/a.axml"]? += "<!-- <hidden/> --><\(tag) size=\"{{a < b}}\"/>"
                return ("value", tag)
            }
        ),
        (
            "handler-missing",
            {
                let name = "press\($0.random.next() % 99)"
                $0.files["pages/a/a.axml"]? += "\n<view onTap=\"\(name)\"/>"
                return ("handler", name)
            }
        ),
        (
            "component2-off",
            {
                $0.files["mini.project.json"] = #"{"format":2,"compileOptions":{"component2":false}}"#
                $0.files["components/cup/cup.js"]? += "\nComponent({ onInit() {} })"
                return ("value", "onInit")
            }
        ),
        (
            "component-on-show",
            {
                $0.files["components/cup/cup.js"]? += "\nComponent({ onShow() {} })"
                return ("value", "onShow")
            }
        ),
    ]

    private static let runs: [(String, Make)] = [
        (
            "built-in-missing",
            {
                let line = 1 + $0.random.next() % 50
                $0.entries.append(
                    #"{"kind":"error","message":"ReferenceError: Can't find variable: fetch","file":"pages/a/a.js","line":\#(line)}"#)
                return ("where", "pages/a/a.js:\(line)")
            }
        ),
        (
            "script-error",
            {
                let line = 1 + $0.random.next() % 50
                $0.entries.append(#"{"kind":"error","message":"x is not defined","file":"pages/a/a.js","line":\#(line)}"#)
                return ("where", "pages/a/a.js:\(line)")
            }
        ),
        (
            "device-permission",
            {
                $0.entries += [$0.call("getLocation", "{}"), $0.answer("getLocation", #"{"error":11}"#, ok: false)]
                return ("interface", "getLocation")
            }
        ),
        (
            "set-data-large",
            {
                let bytes = 300_000 + $0.random.next() % 100_000
                if $0.random.next() % 2 == 0 {
                    $0.entries.append(
                        #"{"kind":"warning","text":"setData of \#(bytes) bytes on pages/a/a: more than 262144 is slow"}"#)
                } else {
                    $0.trace.append(#"{"out":{"kind":"update","body":{"page":1,"batch":9,"changes":[],"bytes":\#(bytes)}}}"#)
                }
                return ("bytes", String(bytes))
            }
        ),
        (
            "set-data-often",
            {
                let count = 40 + Int($0.random.next() % 40)
                for update in 0..<count {
                    $0.entries.append(#"{"at":\#(50_000 + update * 10),"kind":"setData","page":"pages/b/b","changes":[]}"#)
                }
                return ("updates in a second", String(count))
            }
        ),
        (
            "scan-member",
            {
                $0.entries += [
                    $0.call("scan", "{}"), $0.answer("scan", #"{"code":"69\#($0.random.next())","barCode":"69"}"#),
                    #"{"kind":"setData","page":"pages/a/a","changes":[{"path":"code","value":null}]}"#,
                ]
                return ("members", "code, barCode")
            }
        ),
    ]

    private static let packages: [(String, Make)] = [
        (
            "package-unsigned",
            {
                $0.package.isSigned = false
                return nil
            }
        ),
        (
            "package-signature",
            {
                $0.package.hasOtherKey = true
                return ("keys tried", "platform.pub")
            }
        ),
        (
            "package-changed",
            {
                switch $0.random.next() % 3 {
                case 0:
                    $0.package.change = { $0["a.js"]?.append(0x20) }
                    return ("refused as", "hash-mismatch")
                case 1:
                    $0.package.change = { $0["more.txt"] = [1] }
                    return ("refused as", "unlisted-file")
                default:
                    $0.package.change = { $0["app.json"]?.append(0x20) }
                    return ("refused as", "hash-mismatch")
                }
            }
        ),
        (
            "package-damaged",
            {
                // In the middle of the manifest.
                let kept = 440 + Int($0.random.next() % 40)
                $0.package.damage = { Array($0.prefix(kept)) }
                return ("bytes", String(kept))
            }
        ),
        (
            "package-too-large",
            {
                $0.package.blanks = 2_097_152 + Int($0.random.next() % 1_000_000)
                return nil
            }
        ),
        (
            "package-unsafe-path",
            {
                $0.package.damage = { bytes in
                    var data = Data(bytes)
                    while let range = data.range(of: Data("a.axml".utf8)) { data.replaceSubrange(range, with: Data("../a.b".utf8)) }
                    return [UInt8](data)
                }
                return nil
            }
        ),
        (
            "package-of-other-app",
            {
                $0.package.appID = "OTHER\($0.random.next() % 99)"
                return ("package", $0.package.appID)
            }
        ),
        (
            "old-version",
            {
                $0.package.version = "0.9.\($0.random.next() % 9)"
                return ("package", $0.package.version)
            }
        ),
    ]

    private static let pages: [(String, Make)] = [
        (
            "link-truncated",
            {
                $0.link = "alipays://platformapi/startapp?appId=\($0.app)&page=pages/a?x=1&y=\($0.random.next() % 9)"
                return nil
            }
        ),
        (
            "web-page-script",
            {
                let call = ["getEnv", "postMessage", "navigateTo"][Int($0.random.next() % 3)]
                $0.page = "\u{FEFF}\n<html><script>my.\(call)({})</script></html>"
                return ("calls", call)
            }
        ),
    ]
}
