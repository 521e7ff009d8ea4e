#include "CPNGGuard.h"
