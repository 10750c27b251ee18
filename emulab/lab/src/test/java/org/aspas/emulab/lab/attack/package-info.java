/** Tests of {@code org.aspas.emulab.lab.attack}. */
package org.aspas.emulab.lab.attack;
