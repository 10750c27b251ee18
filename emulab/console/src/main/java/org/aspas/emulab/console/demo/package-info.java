/**
 * A demo: a deployment in this process, placed in a world, with clients that work until the demo ends, and a console. {@link
 * org.aspas.emulab.console.demo.LiveDemo} starts and ends all of it. The feeds observe the running nodes and clients and publish events;
 * {@link org.aspas.emulab.console.demo.DemoActions} performs the actions of the page.
 */
@NullMarked
package org.aspas.emulab.console.demo;

import org.jspecify.annotations.NullMarked;
