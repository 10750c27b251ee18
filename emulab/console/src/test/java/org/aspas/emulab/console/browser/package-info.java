/** The page in a real browser: {@code mvn -Pbrowser -pl emulab/console -am test}. It needs Debian's {@code chromium}. */
@NullMarked
package org.aspas.emulab.console.browser;

import org.jspecify.annotations.NullMarked;
