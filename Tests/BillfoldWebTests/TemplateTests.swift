import BillfoldWeb
import Foundation
import Testing

struct TemplateTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/BillfoldWeb/Resources")

    static func files(_ ending: String) throws -> [(path: String, text: String)] {
        let walk = try #require(FileManager.default.enumerator(atPath: folder.path))
        return try walk.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.map {
            ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
        }
    }

    @Test func noTemplateSwitchesEscapingOff() throws {
        let templates = try Self.files(".mustache")
        #expect(templates.count >= 4)
        for (path, text) in templates {
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

    @Test func unknownTemplateIsRefused() {
        #expect(throws: WebError.self) { try PageTemplates.render("console/none", [:]) }
    }
}

struct WebAssetTests {
    @Test func stylesAreServedWithTypeAndTag() throws {
        let assets = try WebAssets.all()
        let sheet = try #require(assets["billfold.css"])
        #expect(sheet.contentType == "text/css; charset=utf-8" && !sheet.bytes.isEmpty)
        #expect(sheet.entityTag.hasPrefix("\"") && sheet.entityTag.hasSuffix("\""))
        #expect(assets["billfold.svg"]?.contentType == "image/svg+xml")
        #expect(Set(assets.values.map(\.entityTag)).count == assets.count)
    }

    @Test func templatesAreNoAssets() throws {
        #expect(try WebAssets.all().keys.allSatisfy { !$0.hasSuffix(".mustache") })
    }

    @Test func framesMayShowNamedOriginsAlone() {
        let policy = WebAssets.framingPolicy([
            "http://127.0.0.1:8082", "https://[::1]:1", "https://a.example/path", "http://b; script-src *", "*", "",
        ])
        #expect(policy == WebAssets.contentSecurityPolicy + "; frame-src http://127.0.0.1:8082 https://[::1]:1")
        #expect(WebAssets.framingPolicy([]).hasSuffix("; frame-src 'none'"))
    }

    @Test func everyAssetThatATemplateNamesIsThere() throws {
        let assets = try WebAssets.all()
        for (path, text) in try TemplateTests.files(".mustache") {
            for match in text.matches(of: /"\/assets\/([\w.\/-]+)"/) {
                #expect(assets[String(match.output.1)] != nil, "\(path) names \(match.output.1)")
            }
        }
    }
}
