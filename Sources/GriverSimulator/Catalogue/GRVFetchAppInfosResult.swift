public import Foundation

/// Told what was found of mini programs that were asked for by their ids: a result or an error.
public typealias GRVFetchAppInfosCompletionHandler = (_ result: GRVFetchAppInfosResult?, _ error: (any Error)?) -> Void

/// Mini programs that were asked for by their ids (mini-programs.md#lists-of-programs [D 3]).
public final class GRVFetchAppInfosResult: NSObject, Sendable {
    /// How many were found, also beyond the 50 that come.
    public let totalCount: Int
    public let appInfos: [GRVAppInfo]

    init(_ programs: [ListedProgram]) {
        totalCount = programs.count
        appInfos = programs.prefix(CatalogueQuery.most).map(GRVAppInfo.init)
        super.init()
    }
}

/// One mini program of ``GRVFetchAppInfosResult``.
public final class GRVAppInfo: NSObject, Sendable {
    public let identifier: String
    public let name: String
    public let slogan: String
    public let iconURL: String
    public let introduction: String
    /// `1.0.1.1653969582308`.
    public let releaseVersion: String
    public let categories: [GRVAppCategory]?
    /// Seconds since 1970. [I]
    public let firstPublishTime: TimeInterval

    init(_ program: ListedProgram) {
        identifier = program.appID
        name = program.name
        slogan = program.slogan
        iconURL = program.iconURL
        introduction = program.introduction
        releaseVersion = program.releaseVersion
        categories = program.categories.isEmpty ? nil : program.categories.compactMap(GRVAppCategory.init)
        firstPublishTime = TimeInterval(program.firstPublished) / 1_000
        super.init()
    }
}

/// A category of ``GRVAppInfo``, with its second and third level.
public final class GRVAppCategory: NSObject, Sendable {
    public let name: String
    public let identifier: String
    public let category2: String?
    public let categoryCode2: String?
    public let category3: String?
    public let categoryCode3: String?

    /// Nil for a category without a first level.
    init?(_ category: ListedProgram.Category) {
        let levels = category.levels
        guard let first = levels.first else { return nil }
        name = first.name
        identifier = first.id
        category2 = levels.dropFirst().first?.name
        categoryCode2 = levels.dropFirst().first?.id
        category3 = levels.dropFirst(2).first?.name
        categoryCode3 = levels.dropFirst(2).first?.id
        super.init()
    }
}
