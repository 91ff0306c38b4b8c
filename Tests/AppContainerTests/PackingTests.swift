import AppContainer
import BillfoldJSON
import Foundation
import Testing

struct SourceMapTests {
    /// Written by esbuild 0.17.0 (`--format=cjs --sourcemap=external --sources-content=false`) for
    /// `import a from "./a";⏎⏎export const f = () => {⏎  throw new Error(a);⏎};⏎`; the places were read off by another decoder.
    @Test func mappingsAreRead() throws {
        let lead = String(repeating: ";", count: 27)
        let mappings = lead + "AAAA;AAAA;AAAA;AAAA;AAAA;AAAA,eAAc;AAEP,MAAM,IAAI,MAAM;AACrB,QAAM,IAAI,MAAM,SAAAA,OAAC;AACnB;"
        let map = try SourceMap(
            [UInt8](#"{"version":3,"sources":["../../x/y.js"],"mappings":"\#(mappings)","names":["a"]}"#.utf8))
        let file = "../../x/y.js"
        #expect(map.sources == [file])
        #expect(map.original(line: 33, column: 16) == .init(file: file, line: 1, column: 15))
        #expect(map.original(line: 34, column: 1) == .init(file: file, line: 3, column: 8))
        #expect(map.original(line: 35, column: 9) == .init(file: file, line: 4, column: 9))
        #expect(map.original(line: 35, column: 34) == .init(file: file, line: 4, column: 19))
        #expect(map.original(line: 35, column: 200) == .init(file: file, line: 4, column: 20))
        #expect(map.original(line: 1, column: 1) == nil)
        #expect(map.original(line: 99, column: 1) == nil)
        #expect(map.original(line: 0, column: 1) == nil)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"version":2,"sources":[],"mappings":""}"#, #"{"version":3,"sources":["a"],"mappings":"A"#,
        #"{"version":3,"sources":["a"],"mappings":"AA"}"#, #"{"version":3,"sources":["a"],"mappings":"!"}"#,
        #"{"version":3,"sources":["a"],"mappings":"AAAAAAAA"}"#, #"{"version":3,"sources":["a"],"mappings":"ggggggggggggA"}"#,
        #"{"version":3,"sources":["a"],"mappings":"ACAA"}"#, #"{"version":3,"sources":["a"],"mappings":"AADA"}"#,
        #"{"version":3,"sources":["a"],"mappings":"AAAg"}"#, #"{"version":3,"sources":["a"]}"#,
    ])
    func brokenMapIsRefused(text: String) {
        #expect(throws: AppContainerError(code: .malformedSourceMap, reason: "")) { _ = try SourceMap([UInt8](text.utf8)) }
    }
}

struct PackingTests {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    private func folder(_ files: [String: String]) throws -> URL {
        let folder = temporary.url.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (path, text) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return folder
    }

    private var packer: ESBuildPacker {
        get throws { try #require(ESBuildPacker.find(in: ProcessInfo.processInfo.environment["PATH"] ?? ""), "esbuild is missing") }
    }

    @Test func modulesOfBothKindsRunTogetherAndErrorsNameTheOriginalLine() throws {
        let folder = try folder([
            "app.json": #"{"pages":["pages/a/a"],"tabBar":{"items":[{"pagePath":"pages/a/a","name":"A"}]}}"#,
            "app.js": "\u{FEFF}import { version } from '/util/v'\nApp({ onLaunch() { console.log(version) } })\n",
            "util/v.ts": "export const version: string = 'v1'\n",
            "util/common.js": "module.exports = { twice: (n) => n * 2 }\n",
            "pages/a/a.js": """
            // A comment that packing drops.
            import common, { twice } from '../../util/common'

            const fail = () => {
              throw new Error('here')
            }

            Page({
              async onLoad() {
                console.log(twice(2), common.twice(3))
                await null
                fail()
              },
            })
            """,
        ])
        let code = try MiniProgramCode(folder: folder, packer: packer)
        #expect(code.pages == ["pages/a/a"] && code.tabPages == ["pages/a/a"])
        let transcript = try MiniProgramRun(code: code).run()
        #expect(transcript.logs == ["v1", "4 6"])
        let error = try #require(transcript.errors.first)
        #expect(error.message == "Error: here")
        #expect(error.file == "/pages/a/a.js" && error.line == 5 && (9...15).contains(error.column ?? 0), "\(error)")
        #expect(error.stack.first?.hasPrefix("fail /pages/a/a.js:5:") == true)
        #expect(error.stack.dropFirst().first?.contains("/pages/a/a.js:12:") == true, "\(error.stack)")
    }

    @Test func folderWithoutPackerKeepsItsLines() throws {
        let folder = try folder([
            "mini.project.json": #"{"miniprogramRoot":"src"}"#,
            "src/app.json": #"{"pages":["p"],"subPackages":[{"root":"sub","pages":["q"]}]}"#,
            "src/p.js": "Page({\n  onLoad() {\n    oops()\n  }\n})",
        ])
        let code = try MiniProgramCode(folder: folder)
        #expect(code.pages == ["p", "sub/q"])
        let error = try #require(try MiniProgramRun(code: code).run().errors.first)
        #expect(error.file == "/p.js" && error.line == 3)
    }

    @Test func syntaxErrorsNameTheirFile() throws {
        let files = ["app.json": #"{"pages":["p"]}"#, "p.js": "Page({\n  onLoad( {\n})"]
        let error = try #require(try MiniProgramRun(code: MiniProgramCode(folder: folder(files))).run().errors.first)
        #expect(error.file == "/p.js")
        #expect((error.line ?? 0) >= 2)
        #expect {
            _ = try MiniProgramCode(folder: folder(files), packer: packer)
        } throws: { error in
            let error = error as? AppContainerError
            return error?.code == .syntaxError && error?.reason.contains("p.js:3") == true
        }
    }

    @Test func packedFilesAreTheSameWhereverTheyLieAndNameTheirSources() throws {
        let files = [
            "app.json": #"{"pages":["p"]}"#, "p.ts": "export const n: number = 1\nPage({})\n", "t.d.ts": "type T = 1", "a.png": "x",
        ]
        let (one, two) = (try MiniProgramFolder(folder(files)), try MiniProgramFolder(folder(files)))
        let packed = try one.packed(by: packer)
        #expect(try packed == two.packed(by: packer))
        #expect(Set(packed.keys) == ["app.json", "p.ts", "p.ts.map", "a.png"])
        #expect(try SourceMap(packed["p.ts.map"] ?? []).sources == ["/p.ts"])
        #expect(String(decoding: packed["p.ts"] ?? [], as: UTF8.self).contains("module.exports"))
    }

    @Test func bothSpellingsOfSubPackagesAreRead() throws {
        let folder = try folder(["app.json": #"{"pages":["/p"],"subpackages":[{"root":"sub/","pages":["q"]}]}"#, "p.js": "Page({})"])
        #expect(try MiniProgramCode(folder: folder).pages == ["p", "sub/q"])
    }

    @Test(arguments: [
        [:], ["app.json": "{"], ["app.json": #"{"pages":[]}"#],
        ["app.json": #"{"pages":["p"]}"#, "mini.project.json": #"{"miniprogramRoot":"../.."}"#],
    ])
    func folderThatIsNoMiniProgramIsRefused(files: [String: String]) throws {
        let folder = try folder(files)
        #expect(throws: AppContainerError(code: .malformedProgram, reason: "")) { _ = try MiniProgramCode(folder: folder) }
    }
}

struct TraceTests {
    private let play: Play = {
        var play = Play(
            page: """
                Page({ data: {}, onLoad(q) { this.setData({ r: Math.random(), t: Date.now(), q, s: my.getStorageSync({ key: 'k' }).data }) },
                  async pay() { const r = await my.confirm({ content: 'pay?' }); setTimeout(() => { this.setData({ r: r.confirm, u: Math.random() }) }, 5); oops() } })
                """)
        play.script.launch = LaunchOptions(page: "pages/index/index?a=1")
        play.script.steps = [.event("pay", [], isTap: true, node: 0)]
        return play
    }()

    @Test func sameSeedGivesTheSameTranscriptAndAnotherDoesNot() throws {
        func texts(_ seed: UInt64) throws -> [String] {
            try MiniProgramRun(code: play.code, script: play.script, seed: seed).run().entries.map(\.text)
        }
        #expect(try texts(1) == texts(1))
        #expect(try texts(1) != texts(2))
    }

    @Test func recordedRunRepeatsThroughItsText() throws {
        let (transcript, trace) = try MiniProgramRun(code: play.code, script: play.script, seed: 9).record()
        #expect(transcript.errors.count == 1)
        let read = try RunTrace([UInt8](trace.text.utf8))
        #expect(read.turns == trace.turns && trace.turns > 4)
        let replay = TraceReplay(trace: read, code: play.code)
        #expect(replay.isOfThisCode)
        #expect(try replay.run() == nil)
    }

    @Test func changedProgramAndChangedTraceDiffer() throws {
        let trace = try MiniProgramRun(code: play.code, script: play.script, seed: 9).record().trace
        var code = play.code
        code.modules["/pages/index/index.js"]?.text.replace("content: 'pay?'", with: "content: 'Pay?'")
        let replay = TraceReplay(trace: trace, code: code)
        #expect(!replay.isOfThisCode)
        let difference = try #require(try replay.run())
        #expect(difference.recorded?.contains("pay?") == true && difference.repeated?.contains("Pay?") == true)
        let changed = try RunTrace([UInt8](trace.text.replacing("\"confirm\":true", with: "\"confirm\":false").utf8))
        #expect(try TraceReplay(trace: changed, code: play.code).run() != nil)
    }

    @Test(arguments: [
        "", "{}", "{\"billfold-trace\":1}", "{\"billfold-trace\":2,\"appId\":\"a\",\"seed\":\"1\",\"code\":\"0\"}",
        "{\"billfold-trace\":1,\"appId\":\"a\",\"seed\":\"1\",\"code\":\"0\"}\n{\"what\":1}",
    ])
    func textThatIsNoTraceIsRefused(text: String) {
        #expect(throws: AppContainerError(code: .malformedTrace, reason: "")) { _ = try RunTrace([UInt8](text.utf8)) }
    }
}

struct ScriptTests {
    @Test func scriptAnswersInOrderByArgumentsAndAfterItsDelay() throws {
        var play = Play(
            page: """
                Page({ async act() { const at = Date.now()
                  for (let i = 0; i < 3; i++) console.log((await my.tradePay({ tradeNO: '1' })).resultCode)
                  const r = await my.request({ url: 'https://a.example/b' }); console.log(r.data.b, Date.now() - at) } })
                """)
        play.script = try HostScript(
            [UInt8](
                #"""
                {"appId":"a","features":["payment"],"domains":["a.example"],
                 "answers":{"tradePay":[{"success":{"resultCode":"6001"}},{"success":{"resultCode":"9000"}}],
                  "request":[{"match":{"url":"https://a.example/a"},"success":{"status":200,"data":{"b":1}}},
                             {"match":{"url":"https://a.example/b"},"delay":120,"success":{"status":200,"data":{"b":2}}}]},
                 "steps":[{"tap":"act"},{"wait":500}]}
                """#.utf8))
        #expect(try play.logs() == ["6001", "9000", "9000", "2 120"])
    }

    @Test(arguments: [
        "", "[]", #"{"answer":{}}"#, #"{"steps":[{}]}"#, #"{"steps":[{"wait":-1}]}"#, #"{"answers":{"scan":[{"fail":{}}]}}"#,
        #"{"answers":{"scan":[1]}}"#, #"{"answers":1}"#, #"{"answers":[]}"#, #"{"answers":{"scan":1}}"#, #"{"steps":1}"#,
        #"{"steps":{}}"#, #"{"steps":[1]}"#, #"{"steps":[{"tap":1}]}"#, #"{"steps":[{"tap":"a","wait":1}]}"#,
        #"{"steps":[{"tap":"a","with":{}}]}"#, #"{"steps":[{"wait":"1"}]}"#, #"{"steps":[{"hide":false}]}"#,
        #"{"steps":[{"mounted":["a"]}]}"#, #"{"steps":[{"reopen":1}]}"#, #"{"features":"auth"}"#, #"{"features":[1]}"#,
        #"{"features":["bogus"]}"#, #"{"domains":"a.example"}"#, #"{"appId":1}"#, #"{"user":{}}"#, #"{"launch":"pages/a"}"#,
        #"{"launch":{"link":"yes"}}"#, #"{"launch":{"query":[]}}"#, #"{"launch":{"path":"a"}}"#,
        #"{"answers":{"scan":[{"success":1}]}}"#, #"{"answers":{"scan":[{"success":{},"fail":{"error":1}}]}}"#,
        #"{"answers":{"scan":[{"success":{},"delay":"1"}]}}"#, #"{"answers":{"scan":[{"success":{},"match":1}]}}"#,
        #"{"answers":{"scan":[{"sucess":{}}]}}"#, #"{"answers":{"getAuthcode":[{"success":{}}]}}"#,
        #"{"answers":{"login":[{"success":{}}]}}"#,
    ])
    func brokenScriptIsRefused(text: String) {
        #expect(throws: AppContainerError(code: .malformedScript, reason: "")) { _ = try HostScript([UInt8](text.utf8)) }
    }

    @Test(arguments: [
        (#"{"answer":{}}"#, "\"answer\" is no member of a script; there are appId, name, "),
        (#"{"steps":[{"tap":"a","onto":1}]}"#, "\"onto\" is no member of steps[0]; there are tap, with, node"),
        (#"{"steps":[{"click":"a"}]}"#, "steps[0]: \"click\" is no step; there are tap, event, wait, "),
        (#"{"features":["auth","bogus"]}"#, "features[1] is no feature; there are agreement-pay, auth, "),
        (#"{"answers":{"getAuthcode":[]}}"#, "letter case counts: getAuthCode"),
        (#"{"answers":{"login":[]}}"#, "the call that is answered is getAuthCode"),
        (#"{"answers":{"scan":[{"error":10}]}}"#, "there are match, delay, success, fail"),
        (#"{"answers":1}"#, "answers is no object, such as "), (#"{"steps":{}}"#, "steps is no list, such as "),
    ])
    func refusalOfAScriptSaysWhatThereIs(text: String, reason: String) throws {
        let error = try #require(throws: AppContainerError.self) { _ = try HostScript([UInt8](text.utf8)) }
        #expect(error.reason.contains(reason), "\(error.reason)")
    }

    @Test func everyKindOfStepIsTaken() throws {
        let script = try HostScript(
            [UInt8](
                #"""
                {"custom":["points"],"features":["custom.points","auth"],"domains":["127.0.0.1:3000"],
                 "launch":{"page":"pages/a/a?b=1","query":{"table":7},"scene":"","referrer":"other","link":true},
                 "answers":{"points":{"success":{}},"scan":[{"fail":{"error":10}}]},
                 "steps":[{"tap":"a"},{"event":"b","with":[1],"node":2},{"wait":0.5},{"hide":true},{"show":true},{"emit":"e","data":null},
                  {"mount":"c/c","node":1,"parent":0,"props":{},"ref":"saveRef"},{"mounted":[1]},{"props":{"a":1},"node":1},{"unmount":1},
                  {"reopen":{"page":"pages/a/a"}}]}
                """#.utf8))
        #expect(script.steps.count == 11 && script.answers["points"]?.count == 1 && script.launch.query == ["table": "7"])
        #expect(script.grant.requestDomains.refusal(of: "http://127.0.0.1:3000/a") == nil)
        #expect(script.grant.requestDomains.refusal(of: "http://127.0.0.1:3001/a") != nil)
        #expect(DomainList(["127.0.0.1"]).refusal(of: "https://127.0.0.1:3000/")?.hasSuffix("the host without its port") == true)
        #expect(DomainList(["a.example"], allowsPlainHTTP: false).refusal(of: "http://a.example/") != nil)
    }

    @Test func transcriptSaysEverythingAsJSON() throws {
        let transcript = try Play(page: "Page({ data: { a: 1 }, onLoad() { my.alert('x'); console.log('l'); oops() } })").run()
        let kinds = transcript.json["entries"]?.array?.compactMap { $0["kind"]?.string } ?? []
        #expect(Set(kinds) == ["opened", "shown", "call", "answer", "console", "error", "setData", "ended"])
        #expect(transcript.json["errors"]?.integer == 1)
        #expect(transcript.entries.contains { $0.text.contains("setData pages/index/index: page {\"a\":1}") })
    }
}
