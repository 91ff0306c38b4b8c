import AppContainer
import Foundation
import GriverSimulator
import Testing

/// The points of a loyalty card.
final class PointsHandler: RVKJsApiHandler {
    override func handler(_ data: [AnyHashable: Any], context: RVKContext, callback: @escaping RVKJsApiResponseCallbackBlock) {
        let hasTypes = data["cups"] as? Int == 2 && data["share"] as? Double == 0.5 && data["isNew"] as? Bool == true
        callback(["points": 120, "isGold": true, "by": context.appId, "page": context.page, "hasTypes": hasTypes])
        callback(["points": 0])
    }
}

/// Answers with what no script may be handed.
final class ListHandler: RVKJsApiHandler {
    override func handler(_ data: [AnyHashable: Any], context: RVKContext, callback: @escaping RVKJsApiResponseCallbackBlock) {
        callback(["list": [1, 2]])
    }
}

/// Written as the header without nullability is overridden, and answers with what Foundation holds.
final class HeaderHandler: RVKJsApiHandler {
    override func handler(_ data: [AnyHashable: Any]!, context: RVKContext!, callback: RVKJsApiResponseCallbackBlock!) {
        guard data["cups"] as? Int == 2 else { return RVKErrorCallback(callback, e_inavlid_params) }
        let answer = NSMutableDictionary()
        (answer["one"], answer["none"], answer["half"], answer["yes"]) = (1, 0, 0.5, true)
        answer["hasScreen"] = context.currentViewController() is LaunchedProgramController
        callback(answer)
    }
}

/// Answers by a code alone.
final class RefusingHandler: RVKJsApiHandler {
    override func handler(_ data: [AnyHashable: Any]!, context: RVKContext!, callback: RVKJsApiResponseCallbackBlock!) {
        RVKErrorCallback(callback, e_permission_denied)
    }
}

/// Overrides nothing.
final class SilentHandler: RVKJsApiHandler {}

@MainActor
struct InterfaceTests {
    private static let module = "GriverSimulatorTests"

    private func configuration(_ entries: [[String: String]], in folder: URL) throws -> GRVConfiguration {
        let file = folder.appendingPathComponent("\(UUID().uuidString).plist")
        try PropertyListSerialization.data(fromPropertyList: ["JsApiRuntime": ["JsApis": entries]], format: .xml, options: 0).write(
            to: file)
        let configuration = GRVConfiguration()
        configuration.plistFilePathForExtraPlugins = file.path
        return configuration
    }

    private func answer(of handler: String) async throws -> String? {
        let folder = FileManager.default.temporaryDirectory
        let configuration = try configuration([["name": "\(Self.module).\(handler)", "jsApi": "points"]], in: folder)
        defer { try? FileManager.default.removeItem(atPath: configuration.plistFilePathForExtraPlugins ?? "") }
        let app = PlayedApp(configuration: configuration)
        let page = try app.opened { try $0.openApp(withAppId: PlayedPlatform.tea, startupParams: nil) }
        _ = await app.screen.lines(2)
        page?.program?.trigger("onPoints")
        return await app.screen.lines(3).last
    }

    @Test func anInterfaceOfTheAppsOwnAnswers() async throws {
        let expected = #"{"by":"2171020000000001","hasTypes":true,"isGold":true,"page":"pages/index/index","points":120}"#
        #expect(try await answer(of: "PointsHandler") == expected)
        #expect(try await answer(of: "HeaderHandler") == #"{"half":0.5,"hasScreen":true,"none":0,"one":1,"yes":true}"#)
        #expect(try await answer(of: "RefusingHandler") == #"{"error":4,"errorMessage":"points"}"#)
        #expect(try await answer(of: "SilentHandler") == #"{"error":1,"errorMessage":"SilentHandler answers nothing"}"#)
        #expect(try await answer(of: "ListHandler")?.hasPrefix(#"{"error":3,"#) == true)
    }

    @Test func aListOfInterfacesIsTakenWholeOrNotAtAll() throws {
        let folder = FileManager.default.temporaryDirectory
        let good = ["name": "\(Self.module).PointsHandler", "jsApi": "points"]
        func code(_ entries: [[String: String]]) throws -> Int? {
            let configuration = try configuration(entries, in: folder)
            defer { try? FileManager.default.removeItem(atPath: configuration.plistFilePathForExtraPlugins ?? "") }
            return PlayedApp(configuration: configuration).code { try $0.openApp(withAppId: PlayedPlatform.tea, startupParams: nil) }
        }
        #expect(try code([good]) == nil)
        #expect(try code([]) == nil)
        #expect(try code([good, ["name": "\(Self.module).Nobody", "jsApi": "x"]]) == 10000)
        #expect(try code([good, ["name": "Foundation.NSString", "jsApi": "x"]]) == 10000, "a class that derives from another")
        #expect(try code([good, ["name": "\(Self.module).PointsHandler", "jsApi": "y"]]) == 10000, "a class twice")
        #expect(try code([good, ["name": "\(Self.module).ListHandler", "jsApi": "points"]]) == 10000, "an interface twice")
        #expect(try code([["jsApi": "x"]]) == 10000)
        let missing = GRVConfiguration()
        missing.plistFilePathForExtraPlugins = "/nonexistent/list.plist"
        #expect(PlayedApp(configuration: missing).code { try $0.openApp(withAppId: PlayedPlatform.tea, startupParams: nil) } == 10000)
    }
}
