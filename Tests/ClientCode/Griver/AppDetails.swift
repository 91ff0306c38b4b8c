import ACGriverCore

/// Everything that the list tells of a mini program, for the page behind the "i".
extension GRVApplicationInfoModel {
    var sheet: [String] {
        var lines = [appId, appName, appSlogan, appDesc, iconUrl, developerVersion, deployVersion, status, packageSize]
        lines.append("\(Int(createTime))")
        lines += [category, categoryId].compactMap { $0 }
        for info in categoryInfos ?? [] {
            lines += [info.categoryId, info.category2, info.categoryCode2, info.category3, info.categoryCode3].compactMap { $0 }
        }
        lines += (extendInfo ?? [:]).map { "\($0.key)=\($0.value)" }
        return lines
    }
}

extension GRVAppInfo {
    var sheet: [String] {
        var lines = [identifier, name, slogan, iconURL, introduction, releaseVersion, "\(Int(firstPublishTime))"]
        for each in categories ?? [] {
            lines +=
                [each.name, each.identifier] + [each.category2, each.categoryCode2, each.category3, each.categoryCode3].compactMap { $0 }
        }
        return lines
    }
}

enum StartupPresets {
    /// A shop in the app's own colours.
    static func shop() -> GRVStartupParams {
        let param = GRVStartupParams()
        param.showTitleBar = true
        param.showLoading = false
        param.showTitleLoading = true
        param.titleColor = 0xFF_0000_00
        param.titleBarColor = 0xFF_FFFF_FF
        param.backButtonColor = 0xFF_3333_33
        param.titleAlignment = "auto"
        param.screenOrientation = "landscape"
        return param
    }
}
