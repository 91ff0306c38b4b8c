import ACGriverCore

/// The page on which a customer finds mini programs, twenty at a time.
final class ProgramList {
    struct Row: Equatable {
        let id: String
        let title: String
        let subtitle: String
        let isPilot: Bool
    }

    private(set) var rows: [Row] = []
    private(set) var total = 0
    private(set) var problem: String?
    var category: String?
    var pageSize: UInt = 20
    var isNewestFirst = false

    func loadNext(_ done: @escaping () -> Void) {
        let parameter = GRVFetchAppsParameter()
        parameter.queryStartIndex = UInt(rows.count)
        parameter.querySize = pageSize
        parameter.sortDescriptor = isNewestFirst ? GRVPublishTimeSortDescriptorKey : GRVAppNameSortDescriptorKey
        parameter.ascending = !isNewestFirst
        parameter.category = category
        GRVAppContainerLaunch.sharedInstance().fetchApps(parameter) { response, error in
            if let error = error as NSError? {
                self.problem = self.text(of: error)
            } else if let response = response, response.success {
                self.total = response.totalCount
                self.rows += (response.appInfoList ?? []).map(self.row)
            } else {
                self.problem = response?.errorMessage ?? response?.errorCode
            }
            done()
        }
    }

    private func row(_ info: GRVApplicationInfoModel) -> Row {
        let section = info.categoryInfos?.first.flatMap { (first: GRVApplicationCategoryInfoModel) in first.category2 ?? first.category }
        return Row(
            id: info.appId, title: info.appName,
            subtitle: [section, info.appSlogan, info.developerVersion].compactMap { $0 }.joined(separator: ", "),
            isPilot: info.status == "GRAY")
    }

    private func text(of error: NSError) -> String {
        switch error.code {
        case 2: return "INVALID_PARAMETER"
        case 3: return "UNKNOWN_ERROR"
        case 10104: return "NETWORK_ERROR"
        default: return error.localizedDescription
        }
    }
}

/// What a customer has opened before, by the ids that were kept.
final class RecentPrograms {
    private(set) var names: [String] = []
    private(set) var details: [String: String] = [:]
    private(set) var code: Int?

    func load(_ appIds: [String], categoryCode: String? = nil, done: @escaping () -> Void) {
        GRVAppContainerLaunch.sharedInstance().fetchAppInfos(
            byIds: appIds, category: categoryCode,
            completionCallback: { (response, error) in
                self.code = (error as NSError?)?.code
                for info: GRVAppInfo in response?.appInfos ?? [] {
                    self.names.append(info.name)
                    let sections = (info.categories ?? []).map { (each: GRVAppCategory) in
                        "\(each.identifier) \(each.category3 ?? each.name)"
                    }
                    self.details[info.identifier] = "\(info.introduction) \(info.releaseVersion) \(sections.joined(separator: "/"))"
                }
                done()
            })
    }
}
