import AlipayPlusServer
import AlipayServer
import BillfoldSandbox
import BillfoldWeb
import CardPaymentsServer
import Foundation
import ProvisioningServer
import Testing
import WalletServer

struct TemplateTests {
    /// The targets that have pages, and what their pages are drawn with.
    static let targets: [(name: String, pages: PageSet)] = [
        ("BillfoldWeb", .common), ("BillfoldSandbox", .sandbox), ("AlipayServer", .orderGateway), ("AlipayPlusServer", .acquiring),
        ("WalletServer", .wallet), ("ProvisioningServer", .provisioning), ("CardPaymentsServer", .cardPayments),
    ]

    static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")

    /// Where the files of one target lie below its `Resources`.
    static func paths(of target: String) throws -> [String] {
        let walk = try #require(FileManager.default.enumerator(atPath: sources.appendingPathComponent("\(target)/Resources").path))
        // Folders have no ending.
        return walk.compactMap { $0 as? String }.filter { $0.contains(".") }
    }

    /// The files of one target: each one's path below its `Resources`, and what it holds.
    static func files(_ ending: String, of target: String) throws -> [(path: String, text: String)] {
        let folder = sources.appendingPathComponent("\(target)/Resources")
        return try paths(of: target).filter { $0.hasSuffix(ending) }.map {
            (path: $0, text: try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
        }
    }

    /// The files of all targets.
    static func files(_ ending: String) throws -> [(path: String, text: String)] {
        try targets.flatMap { target in
            try files(ending, of: target.name).map { (path: "\(target.name)/\($0.path)", text: $0.text) }
        }
    }

    @Test func noTemplateSwitchesEscapingOff() throws {
        for (target, _) in Self.targets { #expect(try !Self.files(".mustache", of: target).isEmpty, "\(target)") }
        for (path, text) in try Self.files(".mustache") {
            for form in ["{{{", "{{&", "{{=", "{{%"] { #expect(!text.contains(form), "\(path) uses \(form)") }
        }
    }

    @Test func noTemplateHasInlineScriptOrStyleOrAnotherOrigin() throws {
        for (path, text) in try Self.files(".mustache") {
            #expect(text.range(of: #"\sstyle\s*="#, options: .regularExpression) == nil, "\(path) has an inline style")
            #expect(text.range(of: #"<style\b"#, options: .regularExpression) == nil, "\(path) has a style element")
            #expect(text.range(of: #"\son[a-z]+\s*="#, options: .regularExpression) == nil, "\(path) has an inline handler")
            #expect(text.range(of: #"<script(?![^>]*\ssrc=)"#, options: .regularExpression) == nil, "\(path) has an inline script")
            #expect(
                text.range(of: #"(src|href|action)\s*=\s*"(https?:)?//"#, options: .regularExpression) == nil,
                "\(path) names another origin")
        }
    }

    @Test func everyAttributeIsQuotedAroundAValue() throws {
        for (path, text) in try Self.files(".mustache") {
            #expect(text.range(of: #"=\s*\{\{[^#^/]"#, options: .regularExpression) == nil, "\(path) has a value in an unquoted attribute")
        }
    }

    @Test func scriptsTouchNoMarkupAndNoOtherOrigin() throws {
        for (path, text) in try Self.files(".js") {
            for form in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "http://", "https://"] {
                #expect(!text.contains(form), "\(path) uses \(form)")
            }
        }
    }

    /// The console serves and draws what is of several targets: the file of one must not stand in for another's.
    @Test func noTwoTargetsHaveAFileOfOneName() throws {
        let paths = try Self.targets.flatMap { try Self.paths(of: $0.name) }
        let twice = Dictionary(grouping: paths) { $0 }.filter { $0.value.count > 1 }.keys
        #expect(twice.isEmpty, "\(twice.sorted())")
    }

    @Test func aTemplateOfNoSetOrOfAnotherIsRefused() {
        #expect(throws: WebError.self) { try PageSet.common.render("console/none", "nothing") }
        #expect(throws: WebError.self) { try PageSet.wallet.render("console/provisioning-stops", "nothing") }
    }
}

struct WebAssetTests {
    @Test func stylesAreServedWithTypeAndTag() throws {
        let assets = try PageSet.common.assets
        let sheet = try #require(assets["billfold.css"])
        #expect(sheet.contentType == "text/css; charset=utf-8" && !sheet.bytes.isEmpty)
        #expect(sheet.entityTag.hasPrefix("\"") && sheet.entityTag.hasSuffix("\""))
        #expect(assets["billfold.svg"]?.contentType == "image/svg+xml")
        #expect(Set(assets.values.map(\.entityTag)).count == assets.count)
    }

    @Test func templatesAreNoAssets() throws {
        for (target, pages) in TemplateTests.targets {
            #expect(try pages.assets.keys.allSatisfy { !$0.hasSuffix(".mustache") }, "\(target)")
        }
    }

    @Test func aTargetsOwnFilesAreServedBesideThoseThatAreNamed() throws {
        let (own, common) = (try PageSet.wallet.assets, try PageSet.common.assets)
        let assets = try PageSet.wallet.assets(with: ["billfold.css", "none.css"])
        #expect(Set(assets.keys) == Set(own.keys).union(["billfold.css"]) && own["wallet/wallet.js"] != nil)
        #expect(assets["billfold.css"] == common["billfold.css"])
    }

    @Test func framesMayShowNamedOriginsAlone() {
        let policy = PagePolicy.framingPolicy([
            "http://127.0.0.1:8082", "https://[::1]:1", "https://a.example/path", "http://b; script-src *", "*", "",
        ])
        #expect(policy == PagePolicy.contentSecurityPolicy + "; frame-src http://127.0.0.1:8082 https://[::1]:1")
        #expect(PagePolicy.framingPolicy([]).hasSuffix("; frame-src 'none'"))
    }

    @Test func everyAssetThatATemplateNamesIsThere() throws {
        let common = try PageSet.common.assets
        for (target, pages) in TemplateTests.targets {
            let own = try pages.assets
            for (path, text) in try TemplateTests.files(".mustache", of: target) {
                for match in text.matches(of: /"\/assets\/([\w.\/-]+)"/) {
                    let name = String(match.output.1)
                    #expect(own[name] != nil || common[name] != nil, "\(target)/\(path) names \(name)")
                }
            }
        }
    }

    /// Also those that only the page's code names.
    @Test(arguments: PageSamples.names)
    func everyAssetThatAPageNamesIsThere(name: String) async throws {
        let known = Set(try TemplateTests.targets.flatMap { try $0.pages.assets.keys })
        let page = try await PageSamples.ordinary(name)
        for match in page.matches(of: /"\/assets\/([\w.\/-]+)"/) {
            #expect(known.contains(String(match.output.1)), "\(match.output.1)")
        }
    }
}
