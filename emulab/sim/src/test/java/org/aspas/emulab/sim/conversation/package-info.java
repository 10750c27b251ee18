/** A conversation between the real cores of a client, four appservers and four bftservers, which docs/formats.md §23 shows. */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.sim.conversation;
