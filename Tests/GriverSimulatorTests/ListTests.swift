import Foundation
import GriverSimulator
import Testing

@MainActor
struct ListTests {
    private static let food = ListedProgram.Category([.init(name: "Shops", id: "1"), .init(name: "Food", id: "1-2")])
    private static let programs = [
        ListedProgram(appID: "a3", name: "beta", introduction: "Z", releaseVersion: "1.0.0.7", created: 1, firstPublished: 3),
        ListedProgram(
            appID: "a1", name: "Alpha", introduction: "y", releaseVersion: "1.2.3.9", isGrayscale: true, created: 3, firstPublished: 1,
            categories: [food]),
        ListedProgram(appID: "a2", name: "gamma", introduction: "X", releaseVersion: "2.0.0.1", created: 2, firstPublished: 2),
    ]

    private typealias Part = (ids: [String]?, total: Int?, code: Int?)

    private func part(of programs: [ListedProgram] = programs, isAway: Bool = false, _ change: (GRVFetchAppsParameter) -> Void) async
        -> Part
    {
        let app = PlayedApp(PlayedPlatform(isAway: isAway, programs: programs))
        let parameter = GRVFetchAppsParameter()
        parameter.querySize = 10
        change(parameter)
        return await withCheckedContinuation { continuation in
            app.launch.fetchApps(parameter) { response, error in
                continuation.resume(returning: (response?.appInfoList?.map(\.appId), response?.totalCount, (error as NSError?)?.code))
            }
        }
    }

    @Test func listsAreSortedAndCut() async {
        #expect(await part { _ in }.ids == ["a3", "a2", "a1"], "by their age where nothing else is said")
        #expect(await part { $0.sortDescriptor = nil }.ids == ["a3", "a2", "a1"])
        #expect(await part { $0.sortDescriptor = GRVAppIdSortDescriptorKey }.ids == ["a1", "a2", "a3"])
        #expect(await part { $0.sortDescriptor = GRVPublishTimeSortDescriptorKey }.ids == ["a1", "a2", "a3"])
        #expect(await part { $0.sortDescriptor = GRVAppNameSortDescriptorKey }.ids == ["a1", "a3", "a2"], "letter case does not count")
        #expect(await part { $0.sortDescriptor = GRVAppDescSortDescriptorKey }.ids == ["a2", "a1", "a3"])
        #expect(await part { $0.ascending = false }.ids == ["a1", "a2", "a3"])
        let second = await part { ($0.queryStartIndex, $0.querySize) = (1, 1) }
        #expect(second.ids == ["a2"] && second.total == 3)
        #expect(await part { $0.querySize = 0 }.ids == [])
        #expect(await part { $0.queryStartIndex = 9 }.ids == [])
        #expect(await part { $0.category = "1-2" }.ids == ["a1"], "a category of any level")
        #expect(await part { $0.category = "9" }.total == 0)
        let many = (0..<80).map { ListedProgram(appID: "p\($0)", name: "p", releaseVersion: "1.0.0.1") }
        let cut = await part(of: many) { $0.querySize = .max }
        #expect(cut.ids?.count == 50 && cut.total == 80)
    }

    @Test func whatIsWrongWithAListIsTold() async {
        #expect(await part { $0.sortDescriptor = "moon" }.code == 2)
        #expect(await part { $0.queryStartIndex = .max }.code == 2)
        #expect(await part(isAway: true) { _ in }.code == 10104)
        let code: Int? = await withCheckedContinuation { continuation in
            GRVAppContainerLaunch().fetchApps(GRVFetchAppsParameter()) { continuation.resume(returning: ($1 as NSError?)?.code) }
        }
        #expect(code == 3)
    }

    @Test func idsAreFoundInTheirOrder() async {
        let app = PlayedApp(PlayedPlatform(programs: Self.programs))
        func found(_ ids: [String], _ category: String? = nil) async -> (names: [String]?, code: Int?) {
            await withCheckedContinuation { continuation in
                app.launch.fetchAppInfos(byIds: ids, category: category) { result, error in
                    continuation.resume(returning: (result?.appInfos.map(\.name), (error as NSError?)?.code))
                }
            }
        }
        #expect(await found(["a2", "none", "a1"]).names == ["gamma", "Alpha"])
        #expect(await found(["a2", "a1"], "1").names == ["Alpha"])
        #expect(await found([]).code == 2)
        #expect(await found((0..<51).map { "\($0)" }).code == 2)
    }

    @Test func aProgramOfTheListSaysWhatThePlatformSays() async throws {
        let app = PlayedApp(PlayedPlatform(programs: Self.programs))
        let parameter = GRVFetchAppsParameter()
        (parameter.querySize, parameter.category) = (1, "1")
        let info: GRVApplicationInfoModel? = await withCheckedContinuation { continuation in
            app.launch.fetchApps(parameter) { response, _ in continuation.resume(returning: response?.appInfoList?.first) }
        }
        let first = try #require(info)
        #expect(first.developerVersion == "1.2.3" && first.deployVersion == "1.2.3.9" && first.status == "GRAY" && first.packageSize == "0")
        #expect(
            first.category == "Shops" && first.categoryInfos?.first?.categoryCode2 == "1-2" && first.categoryInfos?.first?.category3 == nil)
    }
}
