// SQLite; what Swift needs beside it is a macro cast, made in Storage.
#pragma once
#include <sqlite3.h>
