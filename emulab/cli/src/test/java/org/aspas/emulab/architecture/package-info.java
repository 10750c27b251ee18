/** Tests of the shape of the code itself: which package may see which, and how tests are named. */
package org.aspas.emulab.architecture;
