import ACGriverCore
import UIKit

// A newer app: tasks in the place of blocks, errors as values of its own.

enum LaunchProblem: Error, Equatable {
    case notReady
    case noSuchProgram
    case notAPromotion(String)
    case other(Int)

    init(_ error: any Error) {
        switch (error as NSError).code {
        case 90003: self = .notReady
        case 90002: self = .noSuchProgram
        case let code: self = .other(code)
        }
    }
}

@MainActor
final class ModernLauncher {
    private let navigation: UINavigationController

    init(navigation: UINavigationController) { self.navigation = navigation }

    func launch(_ appId: String, configure: (GRVStartupParams) -> Void = { _ in }) throws(LaunchProblem) {
        let params = GRVStartupParams()
        configure(params)
        do {
            guard let page = try GRVAppContainerLaunch.sharedInstance().openApp(withAppId: appId, startupParams: params) else { return }
            navigation.pushViewController(page, animated: true)
        } catch {
            throw LaunchProblem(error)
        }
    }

    func launch(promotion text: String) async throws {
        let target = try await decoded(text)
        guard let page = try GRVAppContainerLaunch.sharedInstance().openApp(withUrl: target, startupParams: GRVStartupParams()) else {
            return
        }
        navigation.pushViewController(page, animated: true)
    }

    private func decoded(_ text: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            GRVURLContentDecoder.decodeURLContent(text) { (response: GRVURLContentDecodeResponse) in
                if let target = response.decodedURL {
                    continuation.resume(returning: target)
                } else {
                    continuation.resume(throwing: LaunchProblem.notAPromotion(response.errorCode ?? ""))
                }
            }
        }
    }

    nonisolated func names(of appIds: [String]) async throws -> [String] {
        try await withCheckedThrowingContinuation { continuation in
            let handler: GRVFetchAppInfosCompletionHandler = { (result: GRVFetchAppInfosResult?, error) in
                if let error {
                    continuation.resume(throwing: LaunchProblem(error))
                } else {
                    continuation.resume(returning: (result?.appInfos ?? []).map(\.name) + ["of \(result?.totalCount ?? 0)"])
                }
            }
            GRVAppContainerLaunch.sharedInstance().fetchAppInfos(byIds: appIds, category: nil, completionCallback: handler)
        }
    }

    /// The catalogue's first page, sorted by whatever the customer chose.
    nonisolated func identifiers(sortedBy key: String) async throws -> [String] {
        let parameter = GRVFetchAppsParameter()
        parameter.querySize = 50
        parameter.sortDescriptor = key
        return try await withCheckedThrowingContinuation { continuation in
            GRVAppContainerLaunch.sharedInstance().fetchApps(parameter) { (response: GRVFetchAppsResponse?, error) in
                if let error { return continuation.resume(throwing: LaunchProblem(error)) }
                continuation.resume(returning: (response?.appInfoList ?? []).map(\.appId))
            }
        }
    }

    /// What a settings page offers.
    static let orders = [
        GRVAppIdSortDescriptorKey, GRVAppNameSortDescriptorKey, GRVAppDescSortDescriptorKey, GRVAppCreateTimeSortDescriptorKey,
        GRVPublishTimeSortDescriptorKey,
    ]
}
