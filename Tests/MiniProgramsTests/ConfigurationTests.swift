import BillfoldDiagnosis
import MiniPrograms
import Testing

@Suite struct ConfigurationTests {
    private func read(_ json: String) throws -> (configuration: AppConfiguration, findings: [Finding]) {
        try AppConfiguration.read(Array(json.utf8))
    }

    private func codes(_ json: String) throws -> [String] {
        try read(json).findings.map { String($0.code.dropFirst("mini-program.".count)) }
    }

    @Test func pagesTabsAndSubPackagesAreRead() throws {
        let (app, findings) = try read(
            """
            {"pages":["pages/start/index","/pages/me/index"],"window":{"defaultTitle":"Tea","pullRefresh":"YES"},
             "subPackages":[{"root":"shop/","pages":["list/index"]}],
             "tabBar":{"items":[{"pagePath":"pages/start/index","name":"Home"},{"pagePath":"pages/me/index","name":"Me"}]},
             "usingComponents":{"card":"/components/card/card"}}
            """)
        #expect(findings.isEmpty)
        #expect(app.routes == ["pages/start/index", "pages/me/index", "shop/list/index"] && app.home == "pages/start/index")
        #expect(app.tabs.map(\.name) == ["Home", "Me"] && app.window.pullRefresh == true && app.window.defaultTitle == "Tea")
    }

    @Test func byteOrderMarkIsDropped() throws {
        #expect(try AppConfiguration.read([0xEF, 0xBB, 0xBF] + Array(#"{"pages":["a"]}"#.utf8)).configuration.pages == ["a"])
    }

    @Test func fileWithoutPagesOrJSONIsRefused() {
        #expect(throws: MiniProgramError(code: .missingField, reason: "")) { try read(#"{"pages":[]}"#) }
        #expect(throws: MiniProgramError(code: .malformedJSON, reason: "")) { try read(#"{"pages":["a"],}"#) }
    }

    @Test(arguments: [
        (#"{"pages":["../a"]}"#, ["page-path"]), (#"{"pages":["a","a"]}"#, ["duplicate-page"]),
        (#"{"pages":["a"],"Window":{}}"#, ["wrong-key"]),
        (#"{"pages":["a"],"tabBar":{"list":[]}}"#, ["wechat-key"]),
        (#"{"pages":["a"],"window":{"navigationBarTitleText":"x"}}"#, ["wechat-key"]),
        (#"{"pages":["a"],"window":{"pullRefresh":"ON"}}"#, ["wrong-type"]), (#"{"pages":["a"],"nonsense":1}"#, ["unknown-key"]),
        (#"{"pages":["a"],"window":{"pullRefresh":true,"allowsBounceVertical":"NO"}}"#, ["pull-refresh"]),
        (#"{"pages":["a"],"tabBar":{"items":[{"pagePath":"b"},{"pagePath":"a"}]}}"#, ["tab-page"]),
        (#"{"pages":["a"],"tabBar":{"items":[{"pagePath":"a"}]}}"#, ["tab-count"]),
        (
            #"{"pages":["a"],"subPackages":[{"root":"s","pages":["b"]}],"tabBar":{"items":[{"pagePath":"s/b"},{"pagePath":"a"}]}}"#,
            ["tab-in-sub-package"]
        ),
    ])
    func slipIsFound(json: String, expected: [String]) throws { #expect(try codes(json) == expected) }

    @Test func pageOverridesTheWindow() throws {
        let window = try read(#"{"pages":["a"],"window":{"defaultTitle":"App","titleBarColor":"white"}}"#).configuration.window
        let page = try PageConfiguration.read(
            Array(#"{"defaultTitle":"Page","component":true,"usingComponents":{"x":"./x"}}"#.utf8), path: "a.json")
        let both = window.overridden(by: page.configuration.window)
        #expect(both.defaultTitle == "Page" && both.titleBarColor == "white" && page.configuration.isComponent && page.findings.isEmpty)
        #expect(
            try PageConfiguration.read(Array(#"{"window":{}}"#.utf8), path: "a.json").findings.map(\.code) == ["mini-program.wrong-key"])
    }

    @Test func pullRefreshFollowsTheHandlerWhereUnset() throws {
        let unset = try read(#"{"pages":["a"]}"#).configuration.window
        #expect(unset.refreshes(pageHasHandler: true) && !unset.refreshes(pageHasHandler: false))
        let stiff = try read(#"{"pages":["a"],"window":{"allowsBounceVertical":false}}"#).configuration.window
        #expect(!stiff.refreshes(pageHasHandler: true))
    }

    @Test(arguments: [
        (#"{"format":2,"compileOptions":{"component2":true},"miniprogramRoot":"dist/"}"#, "dist", true),
        (#"{"enableAppxNg":true,"component2":true}"#, "", true), (#"{"miniprogramRoot":"./"}"#, "", false),
    ])
    func bothShapesOfAProjectAreRead(json: String, root: String, component2: Bool) throws {
        let (project, findings) = try ProjectConfiguration.read(Array(json.utf8))
        #expect(project.miniprogramRoot == root && project.component2 == component2 && findings.isEmpty)
        #expect(try ProjectConfiguration.read(Array(#"{"miniprogramRoot":"../x"}"#.utf8)).findings.count == 1)
    }
}

@Suite struct LintTests {
    static let good: [String: String] = [
        "app.json": #"{"pages":["pages/a/a"],"usingComponents":{"tea-card":"/components/card/card"}}"#, "app.js": "App({})",
        "pages/a/a.axml": "<view>{{x}}</view>",
        "pages/a/a.js": "Page({ onLoad() { my.getAuthCode({}) }, onShow() { this.x = 1 } })",
        "pages/a/a.json": #"{"usingComponents":{"cup":"../../components/cup/cup","list":"mini-antui/es/list/index"}}"#,
        "components/card/card.json": #"{"component":true}"#, "components/card/card.axml": "<view/>",
        "components/card/card.js": "Component({})",
        "components/cup/cup.json": #"{"component":true}"#, "components/cup/cup.axml": "<view/>", "components/cup/cup.js": "Component({})",
        "node_modules/mini-antui/es/list/index.json": #"{"component":true}"#, "node_modules/mini-antui/es/list/index.axml": "<view/>",
        "node_modules/mini-antui/es/list/index.js": "wx.x()", ".tea/leftover.wxml": "",
    ]

    private func findings(_ change: (inout [String: String]) -> Void) -> [Finding] {
        var files = Self.good
        change(&files)
        return MiniProgramLint(files: files.mapValues { Array($0.utf8) }).findings()
    }

    private func codes(_ change: (inout [String: String]) -> Void) -> [String] {
        findings(change).map { String($0.code.dropFirst("mini-program.".count)) }
    }

    @Test func goodProgramHasNoFinding() { #expect(findings { _ in }.isEmpty) }

    @Test func missingFilesAreNamed() {
        #expect(codes { $0["app.json"] = nil } == ["app-json"])
        #expect(codes { $0["app.json"] = "{" } == ["app-json"])
        #expect(codes { $0["pages/a/a.js"] = nil } == ["page-file"])
        #expect(codes { $0["pages/a/a.json"] = "{,}" } == ["malformed-json"])
        let missing = findings { $0["components/card/card.json"] = nil }
        #expect(missing.map(\.code) == ["mini-program.component-missing"])
        #expect(missing.first?.evidence.first?.value == "components/card/card.json" && missing.first?.subject == "app.json")
        #expect(codes { $0["node_modules/mini-antui/es/list/index.json"] = nil } == ["component-missing"])
        #expect(codes { $0["components/cup/cup.json"] = "{}" } == ["component-flag"])
        #expect(codes { $0["components/cup/cup.axml"] = nil } == ["component-file"])
    }

    @Test func wrongLetterCaseIsToldFromMissing() {
        let found = findings {
            $0["pages/a/A.axml"] = $0["pages/a/a.axml"]
            $0["pages/a/a.axml"] = nil
        }
        #expect(found.map(\.code) == ["mini-program.path-case"] && found.first?.evidence.first?.value == "pages/a/A.axml")
    }

    @Test(arguments: [
        ("pages/a/a.js", "wx.login({})", "wechat-call"), ("pages/a/a.js", "if (r.resultCode === 9000) {}", "result-code-number"),
        ("pages/a/a.js", "my.tradePay({ tradeNo: n })", "trade-no-case"), ("pages/a/a.js", "eval(text)", "eval"),
        ("pages/a/a.js", "Page({ onShow() { if (x) { my.getAuthCode({}) } } })", "auth-in-on-show"),
        ("pages/a/a.js", "Page({ onShow: function () { my.getAuthCode({}) } })", "auth-in-on-show"),
        ("pages/a/a.js", "const appSecret = 'abcdefgh12345'", "secret"),
        ("config.json", "{\"client_secret\": \"abcdefgh12345\"}", "secret"),
        ("keys/x.pem", "x", "secret"), ("pages/a/a.axml", "<view wx:if=\"{{x}}\"/>", "wechat-attribute"),
        ("pages/a/a.axml", "<view bindtap=\"x\"/>", "wechat-attribute"), ("pages/b/b.wxml", "", "wechat-file"),
    ])
    func slipInASourceIsFound(path: String, text: String, code: String) {
        #expect(codes { $0[path] = text } == [code])
    }

    @Test func secretIsNeverShown() {
        let found = findings { $0["pages/a/a.js"] = "x\nconst appSecret = 'abcdefgh12345'" }
        #expect(found.first?.evidence == [.init("line", "2")])
        #expect(!"\(found)".contains("abcdefgh12345"))
    }

    /// A tap on what names no method does nothing, and says nothing, on a phone.
    @Test func aHandlerThatNoScriptHasIsNamed() {
        let found = findings {
            $0["pages/a/a.axml"] = "<!--\n<view onTap=\"old\"/> -->\n<button onTap=\"onPya\">pay</button>"
            $0["pages/a/a.js"] = "Page({ data: {}, onPay() {} })"
        }
        #expect(found.map(\.code) == ["mini-program.handler-missing"] && found.first?.severity == .warning)
        #expect(found.first?.subject == "pages/a/a.axml" && found.first?.mend.contains("onPay?") == true)
        let evidence: [Finding.Evidence] = [
            .init("handler", "onPya"), .init("line", "3"), .init("script", "pages/a/a.js"), .init("near", "onPay"),
        ]
        #expect(found.first?.evidence == evidence)
        // In a component, in a template that is included, and of what only stops an event.
        for change in [
            { $0["components/cup/cup.axml"] = "<view onTap='pour'/>" },
            {
                $0["pages/a/a.axml"] = "<include src=\"part.axml\"/>"
                $0["pages/a/part.axml"] = "<view catchTap=\"pour\"/>"
            },
            { $0["pages/a/a.axml"] = "<cup onPick=\"pour\"/>" },
        ] as [(inout [String: String]) -> Void] {
            #expect(codes(change) == ["handler-missing"])
        }
    }

    /// Written anywhere that the page reaches, said only while it runs, or brought along by a module that is not here.
    @Test(arguments: [
        ("<view onTap=\"go\"/>", "Page({ go() {} })"), ("<view onTap=\"go\"/>", "Page({ onLoad() { this['go'] = f } })"),
        ("<view onTap=\"go\"/>", "import { parts } from '../../util/parts'\nPage({ ...parts })"),
        ("<view onTap=\"go\"/>", "const parts = require(\"/util/parts\")\nPage(parts)"),
        ("<view onTap=\"go\"/>", "import { page } from 'a-framework'\npage({})"),
        ("<view onTap=\"{{x ? 'go' : 'stay'}}\"/>", "Page({})"), ("<view catchTap=\"none\" onTap=\"\"/>", "Page({})"),
        ("<view once=\"go\" catcher=\"go\"/>", "Page({})"),
    ]) func aHandlerThatMayBeThereIsNoFinding(template: String, script: String) {
        let found = codes {
            $0["pages/a/a.axml"] = template
            $0["pages/a/a.js"] = script
            $0["util/parts.js"] = "import more from './more.js'\nexport const parts = { ...more }"
            $0["util/more.js"] = "export default { go: function () {} }"
        }
        #expect(found.isEmpty)
    }

    @Test func componentsThatUseEachOtherEnd() {
        let found = codes {
            $0["components/cup/cup.json"] = #"{"component":true,"usingComponents":{"card":"../card/card"}}"#
            $0["components/card/card.json"] = #"{"component":true,"usingComponents":{"cup":"../cup/cup"}}"#
        }
        #expect(found.isEmpty)
    }

    @Test func componentPathMayNotLeave() {
        #expect(codes { $0["pages/a/a.json"] = #"{"usingComponents":{"x":"../../../../x"}}"# } == ["component-path"])
    }
}
