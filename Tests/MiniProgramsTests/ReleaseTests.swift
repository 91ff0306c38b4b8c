import MiniPrograms
import Testing

@Suite struct ReleaseTests {
    private func run(_ events: [ReleaseState.Event], from state: ReleaseState = .created) throws -> ReleaseState {
        try events.reduce(state) { try $0.applying($1) }
    }

    @Test func versionReachesItsUsersAndComesBack() throws {
        let steps: [ReleaseState.Event] = [
            .submit, .reject, .submit, .withdraw, .submit, .approve, .startPilot, .startGrayscale(percent: 5), .startGrayscale(percent: 50),
            .release, .archive, .rollBack,
        ]
        #expect(try run(steps) == .released)
    }

    @Test(arguments: [
        (ReleaseState.created, ReleaseState.Event.release), (.underReview, .release), (.canceled, .release), (.released, .startPilot),
        (.grayscale(percent: 50), .startGrayscale(percent: 50)), (.grayscale(percent: 50), .startGrayscale(percent: 10)),
        (.pilot, .startGrayscale(percent: 0)), (.pilot, .startGrayscale(percent: 101)), (.released, .cancel), (.canceled, .rollBack),
        (.underReview, .cancel),
    ])
    func wrongStepIsRefused(state: ReleaseState, event: ReleaseState.Event) {
        #expect(throws: MiniProgramError(code: .wrongState, reason: "")) { try state.applying(event) }
    }

    @Test func shareIsStableAndOnlyGrows() {
        var included = 0
        for number in 0..<2_000 {
            let user = "user-\(number)"
            var was = false
            for percent in [1, 5, 20, 50, 100] {
                let isIn = GrayRelease.includes(appID: "app", userID: user, percent: percent)
                #expect(isIn || !was)
                was = isIn
            }
            #expect(was)
            included += GrayRelease.includes(appID: "app", userID: user, percent: 20) ? 1 : 0
        }
        #expect((300...500).contains(included))
        #expect(GrayRelease.bucket(appID: "ab", userID: "c") != GrayRelease.bucket(appID: "a", userID: "bc"))
    }

    private func choice(
        _ offered: [OfferedVersion], user: String = "u", container: MiniProgramVersion = .init(2, 0, 0), request: String? = nil
    ) throws -> VersionChoice {
        VersionChoice(
            appID: "app", userID: user, offered: offered, container: container, request: try request.map { try VersionRequest($0) })
    }

    @Test func newestAllowedVersionIsChosenWithItsReasons() throws {
        let bucket = GrayRelease.bucket(appID: "app", userID: "u")
        let share = bucket / 100  // One less than needed.
        var offered: [OfferedVersion] = [
            .init(version: .init(1, 0, 0), state: .released), .init(version: .init(1, 1, 0), state: .pilot, pilotUsers: ["p"]),
            .init(version: .init(1, 3, 0), state: .released, minimumContainer: .init(3, 0, 0)),
            .init(version: .init(1, 4, 0), state: .underReview),
        ]
        if share >= 1 { offered.append(.init(version: .init(1, 2, 0), state: .grayscale(percent: share))) }
        let chosen = try choice(offered)
        #expect(chosen.version == .init(1, 0, 0) && chosen.steps.last?.reason == .released)
        #expect(
            chosen.steps.first?.reason == .notOffered(state: "Under Review")
                && chosen.steps[1].reason == .containerTooOld(needs: .init(3, 0, 0)))
        #expect(try choice(offered, user: "p").version.map { $0 >= .init(1, 1, 0) } == true)
        if share >= 1, share < 100 {
            offered[4].state = .grayscale(percent: share + 1)
            #expect(try choice(offered).version == .init(1, 2, 0))
        }
        #expect(try choice([]).version == nil)
        #expect(try choice(offered, request: "2.*").version == nil)
        #expect(chosen.steps.allSatisfy { !$0.reason.description.isEmpty })
    }

    @Test func versionsAreReadAndCompared() throws {
        let texts = ["1.9.0", "1.10.0", "1.10.0.20260101000000", "1.10.0.20260102000000", "2.0.0"]
        let versions = texts.compactMap { MiniProgramVersion(text: $0) }
        #expect(versions.map(\.description) == texts && versions == versions.sorted())
        for bad in ["1", "1.0", "01.0.0", "1.0.0.0.0", "1.0.x", "-1.0.0", "1.0.0.", "", "1.0.99999999999999999999"] {
            #expect(MiniProgramVersion(text: bad) == nil, "\(bad)")
        }
        for (request, version, fits) in [
            ("*", "1.2.3", true), ("1.*", "1.9.9", true), ("1.*", "2.0.0", false), ("1.2.*", "1.2.9", true), ("1.2.*", "1.3.0", false),
            ("1.2.3", "1.2.3.7", true),
            ("1.2.3.8", "1.2.3.7", false),
        ] {
            #expect(try VersionRequest(request).matches(#require(MiniProgramVersion(text: version))) == fits, "\(request) \(version)")
        }
        for bad in ["", "*.1", "1.2.3.*", "x.*", "1.*.*", "1"] {
            #expect(throws: MiniProgramError(code: .malformedVersion, reason: "")) { try VersionRequest(bad) }
        }
    }

    @Test func updateDecisions() {
        let (one, two) = (MiniProgramVersion(1, 0, 0), MiniProgramVersion(2, 0, 0))
        #expect(UpdateDecision(installed: nil, offered: nil) == .unavailable)
        #expect(UpdateDecision(installed: nil, offered: two, mayDownload: false) == .downloadFirst(two))
        #expect(UpdateDecision(installed: one, offered: nil) == .start(one))
        #expect(UpdateDecision(installed: one, offered: nil, minimum: two) == .unavailable)
        #expect(UpdateDecision(installed: one, offered: two) == .startAndDownload(start: one, download: two))
        #expect(UpdateDecision(installed: two, offered: one) == .startAndDownload(start: two, download: one))
        #expect(UpdateDecision(installed: one, offered: two, isStale: true) == .downloadFirst(two))
        #expect(UpdateDecision(installed: one, offered: two, minimum: two) == .downloadFirst(two))
        #expect(UpdateDecision(installed: one, offered: two, mayDownload: false) == .start(one))
        #expect(UpdateDecision(installed: two, offered: two, isStale: true) == .start(two))
        #expect(UpdateDecision.shouldCheck(secondsSinceLastCheck: nil) && UpdateDecision.shouldCheck(secondsSinceLastCheck: 1_800))
        #expect(!UpdateDecision.shouldCheck(secondsSinceLastCheck: 1_799) && UpdateDecision.shouldCheck(secondsSinceLastCheck: -5))
    }
}
