package org.aspas.emulab.gatling;

import java.util.Locale;

/** Constants in the spelling of the options. */
final class Words {
    private Words() {}

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
