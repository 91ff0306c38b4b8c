#pragma once
// Gives its users the library's flags; only CCodeReader includes its headers.
