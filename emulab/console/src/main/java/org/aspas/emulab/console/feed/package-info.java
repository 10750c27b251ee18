/**
 * What a console tells its pages: {@link org.aspas.emulab.console.feed.ConsoleState} keeps the newest of everything and gives each event to
 * every {@link org.aspas.emulab.console.feed.EventStream}, which is bounded. README.md of the module is the format.
 */
@NullMarked
package org.aspas.emulab.console.feed;

import org.jspecify.annotations.NullMarked;
