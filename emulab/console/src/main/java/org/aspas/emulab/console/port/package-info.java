/** What the console's HTTP server needs of what it shows: a running demo, or a deployment elsewhere. */
@NullMarked
package org.aspas.emulab.console.port;

import org.jspecify.annotations.NullMarked;
