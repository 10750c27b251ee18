/**
 * A deployment in this process, in a world, with clients that go on until it is ended, and a console over it. {@link
 * org.aspas.emulab.console.demo.LiveDemo} is the whole; the feeds look at running nodes and clients and publish what they see; {@link
 * org.aspas.emulab.console.demo.DemoActions} does what a page asks for.
 */
@NullMarked
package org.aspas.emulab.console.demo;

import org.jspecify.annotations.NullMarked;
