import BillfoldJSON
import Foundation
import MiniPrograms
import Testing

@Suite struct CatalogueTests {
    private let catalogue = JSAPICatalogue.standard

    private func read(
        _ name: String, _ json: String? = nil, from surface: JSAPI.Surface = .script, features: Set<String> = ["auth", "payment", "scan"]
    ) throws -> JSAPICatalogue.Call {
        try catalogue.read(name, json.map { try JSONReader.read(Array($0.utf8)) }, from: surface, features: features)
    }

    private func refusal(
        _ name: String, _ json: String? = nil, from surface: JSAPI.Surface = .script, features: Set<String> = ["auth", "payment", "scan"]
    ) -> JSAPIFailure? {
        do {
            _ = try read(name, json, from: surface, features: features)
            return nil
        } catch { return error as? JSAPIFailure }
    }

    @Test func everyInterfaceHasOneEntry() {
        for name in ["getAuthCode", "tradePay", "scan", "navigateToBizScene", "request", "setStorageSync", "getSystemInfoSync", "canIUse"] {
            #expect(catalogue[name] != nil, "\(name)")
        }
        #expect(catalogue.interfaces.count > 95)
        for interface in catalogue.interfaces.values {
            #expect(interface.errors.keys.allSatisfy { $0 >= 10 || interface.name == "getAuthCode" }, "\(interface.name)")
            #expect(Set(interface.arguments.map(\.name)).count == interface.arguments.count, "\(interface.name)")
        }
        for alias in catalogue.aliases.values { #expect(catalogue.interfaces[alias.interface] != nil, "\(alias.name)") }
    }

    @Test(arguments: [
        ("scan", #"{"scanType":"qr"}"#, #"{"scanType":["qr"]}"#), ("alert", #""text""#, #"{"content":"text"}"#),
        ("showLoading", #"{"delay":"1000"}"#, #"{"delay":1000}"#),
        ("getAuthCode", #"{"scopes":"auth_user"}"#, #"{"scopes":["auth_user"]}"#),
        ("login", "{}", #"{"scopes":["auth_base"]}"#),
        ("showToast", #"{"title":"t","icon":"success"}"#, #"{"content":"t","type":"success"}"#),
        ("setClipboardData", #"{"data":"x"}"#, #"{"text":"x"}"#), ("showActionSheet", #"{"itemList":["a"]}"#, #"{"items":["a"]}"#),
        ("request", #"{"url":"https://a.test","header":{}}"#, #"{"url":"https://a.test","headers":{}}"#),
        ("tradePay", #"{"tradeNO":null,"orderStr":"o"}"#, #"{"orderStr":"o"}"#),
    ])
    func sloppyCallsAreTaken(name: String, sloppy: String, taken: String) throws {
        let features: Set<String> = ["auth", "payment", "scan", "clipboard"]
        let wanted = try JSONReader.read(Array(taken.utf8)).object?.members.map { "\($0.key)=\($0.value.text)" }.sorted()
        #expect(try read(name, sloppy, features: features).arguments.members.map { "\($0.key)=\($0.value.text)" }.sorted() == wanted)
    }

    @Test(arguments: [
        ("nothing", "{}", 1), ("request", "{}", 2), ("request", #"{"url":7}"#, 2), ("request", "[]", 2),
        ("request", #""https://a.test""#, 2),
        ("scan", #"{"scanType":[1]}"#, 2), ("showToast", #"{"duration":"soon"}"#, 2), ("getLocation", "{}", 4),
        ("getPhoneNumber", #"{"x":1}"#, 4),
    ])
    func refusalsHaveTheDocumentedCode(name: String, json: String, code: Int) {
        #expect(refusal(name, json)?.error == code)
    }

    @Test func refusalNamesTheMissingFeature() {
        #expect(refusal("tradePay", "{}", features: [])?.errorMessage.contains("\"payment\"") == true)
    }

    /// Authors ask for features by the names in the protocol's page.
    @Test func everyFeatureHasItsRowInTheProtocolsPage() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/protocols/mini-programs.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n### Features\n").last?.components(separatedBy: "\n### ").first)
        var told: [String: Set<String>] = [:]
        for row in section.split(separator: "\n") where row.hasPrefix("| `") {
            let names = row.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            told[String(try #require(names.first).element)] = Set(names.dropFirst().map { String($0.element) })
        }
        var known: [String: Set<String>] = [:]
        for interface in catalogue.interfaces.values {
            if let feature = interface.permission.feature { known[feature, default: []].insert(interface.name) }
        }
        #expect(told == known)
        #expect(catalogue.features == known.keys.sorted() && catalogue.features.contains("auth"))
    }

    @Test(
        arguments: [
            (["auth", "scan"], [], nil), (["auth", "bogus"], [], 1), (["Auth"], [], 0), (["custom.points"], ["points"], nil),
            (["custom.points"], [], 0), (["custom."], ["points"], 0), ([], [], nil),
        ] as [([String], [String], Int?)])
    func whatIsNoFeatureIsFound(names: [String], own: [String], place: Int?) {
        #expect(catalogue.firstUnknownFeature(in: names, customInterfaces: own) == place)
    }

    @Test func permissionIsAskedBeforeArguments() {
        #expect(refusal("openLocation", #"{"longitude":[]}"#)?.error == 4)
    }

    @Test func webPagesMayCallLess() {
        #expect(refusal("setStorageSync", #"{"key":"k","data":1}"#, from: .webPage)?.error == 4)
        #expect(refusal("scan", "{}", from: .webPage) == nil)
        #expect(refusal("postMessage", #"{"data":1}"#)?.error == 4)
    }

    @Test func wrongLetterCaseIsHintedAt() throws {
        let call = try read("tradePay", #"{"tradeNo":"1"}"#)
        #expect(call.arguments["tradeNO"] == nil && call.hints == [#"tradePay: "tradeNo" is not tradeNO; letter case counts"#])
        #expect(try read("scanCode", "{}").hints.count == 1)
    }

    @Test(arguments: [
        ("request", true), ("showModal", true), ("component2", true), ("button.open-type.getAuthorize", true), ("button.openType", true),
        ("movable-view.onTouchStart", true), ("request.object.timeout", true), ("request.return.status", true), ("view", true),
        ("button.open-type.fly", false), ("request.object.colour", false), ("view.onFly", false), ("", false), ("request.", false),
        ("a.b.c.d.e", false), ("teleport", false), ("view.onTap.x", false), ("component2.x", false), ("onSocketOpen", true),
        ("onMoonrise", false),
    ])
    func canIUseReadsOneTable(text: String, can: Bool) {
        #expect(catalogue.canIUse(text) == can)
    }

    @Test func superAppsOwnInterfaceIsFound() throws {
        var own = catalogue
        own.add(JSAPI("loyaltyPoints", needs: ["year": .number], answers: ["points"], permission: .feature("custom.loyaltyPoints")))
        #expect(own.canIUse("loyaltyPoints.return.points"))
        let call = try own.read("loyaltyPoints", .object([.init("year", 2026)]), from: .script, features: ["custom.loyaltyPoints"])
        #expect(call.interface.permission.feature == "custom.loyaltyPoints")
    }
}
