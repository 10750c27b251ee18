/** Tests of {@code org.aspas.emulab.testbed.attack}. */
package org.aspas.emulab.testbed.attack;
