public import Foundation

/// A part of the list (mini-programs.md#lists-of-programs [D 3]).
public final class GRVFetchAppsResponse: NSObject, Sendable {
    public let success: Bool
    public let errorCode: String?
    public let errorMessage: String?
    /// How many fit the question, also beyond this part.
    public let totalCount: Int
    public let appInfoList: [GRVApplicationInfoModel]?

    init(total: Int, _ programs: [ListedProgram]) {
        success = true
        errorCode = nil
        errorMessage = nil
        totalCount = total
        appInfoList = programs.map(GRVApplicationInfoModel.init)
        super.init()
    }
}

/// One mini program of ``GRVFetchAppsResponse``.
public final class GRVApplicationInfoModel: NSObject, Sendable {
    public let appId: String
    public let appName: String
    public let appSlogan: String
    public let appDesc: String
    public let iconUrl: String
    /// `1.0.1`.
    public let developerVersion: String
    /// `1.0.1.1653969582308`.
    public let deployVersion: String
    /// `GRAY` while a part of the users get it, `ONLINE` otherwise.
    public let status: String
    /// In bytes, as a text.
    public let packageSize: String
    /// Seconds since 1970. [I]
    public let createTime: TimeInterval
    public let category: String?
    public let categoryId: String?
    public let categoryInfos: [GRVApplicationCategoryInfoModel]?
    /// Nothing is handed on in it.
    public var extendInfo: [AnyHashable: Any]? { nil }

    init(_ program: ListedProgram) {
        appId = program.appID
        appName = program.name
        appSlogan = program.slogan
        appDesc = program.introduction
        iconUrl = program.iconURL
        developerVersion = program.releaseVersion.split(separator: ".").prefix(3).joined(separator: ".")
        deployVersion = program.releaseVersion
        status = program.isGrayscale ? "GRAY" : "ONLINE"
        packageSize = String(program.packageSize)
        createTime = TimeInterval(program.created) / 1_000
        category = program.categories.first?.levels.first?.name
        categoryId = program.categories.first?.levels.first?.id
        categoryInfos = program.categories.isEmpty ? nil : program.categories.map(GRVApplicationCategoryInfoModel.init)
        super.init()
    }
}

/// A category of ``GRVApplicationInfoModel``, with its second and third level.
public final class GRVApplicationCategoryInfoModel: NSObject, Sendable {
    public let category: String?
    public let categoryId: String?
    public let category2: String?
    public let categoryCode2: String?
    public let category3: String?
    public let categoryCode3: String?

    init(_ category: ListedProgram.Category) {
        let levels = category.levels
        self.category = levels.first?.name
        categoryId = levels.first?.id
        category2 = levels.dropFirst().first?.name
        categoryCode2 = levels.dropFirst().first?.id
        category3 = levels.dropFirst(2).first?.name
        categoryCode3 = levels.dropFirst(2).first?.id
        super.init()
    }
}
