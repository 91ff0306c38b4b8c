import MiniPrograms
import Testing

@testable import WalletServer

/// What the console shows of the platform.
struct MiniProgramConsoleTests {
    @Test func theShelfSaysWhatEverybodyGetsAndWhatWaits() async throws {
        try await SuperAppScene.open { scene in
            let first = try await scene.approved(.init(1, 0, 0))
            try await scene.take(.release, first)
            let second = try await scene.build(.init(1, 1, 0))
            #expect(try await scene.step(second, "submit").resultCode == "SUCCESS")
            let shelf = try await scene.office.shelf()
            let tea = try #require(shelf.programs.first { $0.appID == SuperAppScene.app })
            #expect(
                tea.released == first.description && tea.waiting == "1 version waits for a review" && tea.isOpen
                    && tea.author == SuperAppScene.author)
            let bread = try #require(shelf.programs.first { $0.appID == SuperAppScene.otherApp })
            #expect(bread.released == nil && bread.waiting == nil && bread.workspace == "connect")
            #expect(
                Set(shelf.signers.map { "\($0.kind) \($0.id)" }) == [
                    "author author-1", "author author-2", "client merchant-1", "client merchant-2",
                ])
        }
    }

    /// The steps offered are those that the platform takes from there.
    @Test func eachVersionOffersTheStepsThatItCanTake() async throws {
        try await SuperAppScene.open { scene in
            func steps(_ version: MiniProgramVersion) async throws -> Set<MiniProgramView.Step> {
                let view = try #require(try await scene.office.miniProgram(SuperAppScene.app))
                return Set(try #require(view.builds.first { $0.version == version.description }).steps)
            }
            let version = try await scene.build(.init(1, 0, 0))
            #expect(try await steps(version) == [])
            #expect(try await scene.step(version, "submit").resultCode == "SUCCESS")
            #expect(try await steps(version) == [.approve, .reject])
            try await scene.take(.approve, version)
            #expect(try await steps(version) == [.pilot, .gray, .release, .cancel])
            try await scene.take(.startGrayscale(percent: 5), version)
            let view = try #require(try await scene.office.miniProgram(SuperAppScene.app))
            #expect(view.builds.first?.percent == 5 && view.builds.first?.state == "Grayscale Release")
            #expect(try await steps(version) == [.gray, .release, .cancel])
            try await scene.take(.release, version)
            #expect(try await steps(version) == [.archive])
            try await scene.take(.archive, version)
            #expect(try await steps(version) == [.rollBack])
        }
    }

    @Test func permissionsSayWhoseRuleTheyAre() async throws {
        try await SuperAppScene.open { scene in
            try await scene.office.grant(
                .init(features: ["scan"], scenes: ["SCAN"], scopes: ["CARD_LIST": .ask]), to: SuperAppScene.app, by: "ada", reason: "cards")
            let view = try #require(try await scene.office.miniProgram(SuperAppScene.app))
            #expect(view.features == ["scan"] && view.scenes == ["SCAN"] && view.authClientID == SuperAppScene.client)
            #expect(view.scopes.filter(\.isOwn) == [.init(name: "CARD_LIST", rule: "ask", isOwn: true)])
            #expect(view.scopes.contains(.init(name: "USER_NAME", rule: "ask", isOwn: false)))
            #expect(view.codes.map(\.id) == ["default"])
            #expect(try await scene.office.miniProgram("nobody") == nil)
        }
    }
}
